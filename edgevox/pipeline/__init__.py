"""One spoken turn, from the microphone to the loudspeaker."""

"""The plain front ends: a Rich voice loop and a text prompt. Draw events and send commands; decide nothing."""

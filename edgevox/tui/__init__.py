"""The Textual front end. Draws events and sends commands; decides nothing."""

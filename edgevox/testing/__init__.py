"""Fakes that ship: real implementations of the ports, for tests of the product and of your own agents."""

"""Language models on other machines, through the OpenAI-compatible protocol."""

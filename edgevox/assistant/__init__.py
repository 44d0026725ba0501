"""The headless application: the only place where pipeline, agent, threads and settings meet."""

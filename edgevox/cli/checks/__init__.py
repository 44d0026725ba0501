"""What `edgevox doctor` looks at, a module for every part of the machine. Each check returns findings."""

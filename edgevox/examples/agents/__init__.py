"""The built-in agents: `home_assistant`, `robot_commander`, `dev_toolbox`, `robot_scout`.

Each module holds an agent's tools, skills, words and its `APP`; nothing is imported before somebody asks for it.
"""

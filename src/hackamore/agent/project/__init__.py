"""What a project says of itself: languages, packages, tests, git and rules."""

"""What lasts beside a workspace: checkpoints. Touches the user's state folder and the workspace."""

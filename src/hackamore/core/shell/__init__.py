"""A small, careful reader of bash command lines. Pure: it runs and touches nothing."""

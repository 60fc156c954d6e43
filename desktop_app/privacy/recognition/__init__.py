"""What in a text identifies somebody: rules, the person's lists and models of names."""

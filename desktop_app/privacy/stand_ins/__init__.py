"""What takes the place of a value: of its kind, natural, and nobody's."""

"""Step trees, verification and drafters in ints and floats: no torch, no Qt, no asyncio, no other room."""

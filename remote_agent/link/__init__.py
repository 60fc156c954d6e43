"""The data channel between desktop and agent: channel, pacing, signalling. No torch; may import wire."""

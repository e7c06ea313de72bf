"""Reading whatever the user has: files, frames, databases, streams and evaluation logs."""

"""How much one request may ask for: each bound of the lab is stated here, and nowhere else."""

from __future__ import annotations

CLASSES = 12  # of a table that is typed or dragged
LARGEST_COUNT = 1e12
BODY = 64 * 1024  # bytes of a question; a table of 12 classes needs 3 KB
UPLOAD = 1 << 30  # bytes of a file
UNPACKED = 8 << 30  # bytes that a compressed file may unpack to
UPLOADS = 32  # files held at a time, so that all systems of a comparison fit; the oldest makes room
RESULTS = 40  # reports held at a time
ANSWER = 10.0  # seconds for a question about a table
STALLED = 30.0  # seconds without a byte of a body
WORK = 600.0  # seconds for counting and reporting a file
JOBS = 2  # files worked on at a time
FILE_CLASSES = 1000  # of a file's table, and groups: more is an id or free text, not a class
FILE_GROUPS = 200
SYSTEMS = 30  # prediction columns that are compared
TABLES = 100_000  # simulated tables in one run
SIMULATED_CLASSES = 10
SIMULATED_CASES = 100_000  # cases in one simulated table
LEVELS = 21
FIGURE_RUNS = 5000  # simulated tables a level of a figure of the papers
SIMULATION = 60.0  # seconds

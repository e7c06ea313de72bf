"""How much one request, one client and all together may ask for: each bound of the lab is stated here only."""

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
BODY_TIME = 20.0  # seconds that a body may keep the lab waiting; a question is sent within one
SLOWEST = 8 * 1024  # bytes of a body that earn a second more: slower than any line that loads the page
CONNECTIONS = 400  # open at a time: 50 browsers with 6 each and room; a process may open 1024 files
CONNECTIONS_EACH = 256  # of one address: a class behind one router, and others still come in
BACKLOG = 256  # connections not yet taken; with those open still fewer than the files of a process
HEAD_SIZE = 16 * 1024  # bytes of the head of a request; those of a browser take 1 KB
HEAD = 10.0  # seconds for a head: it comes in one packet
IDLE = 30  # seconds between two requests of a connection
UNREAD = 60.0  # seconds in which nothing of an answer is taken
AT_ONCE = 2  # questions that are computed in threads at a time
WAITING = 64  # questions that wait for those: a class of 50 asks at once, and all are answered
TOGETHER = 24  # tables answered as one stack, within a few tenths of a second
QUEUED = 3.0  # seconds that one waits; who waits longer has asked for something else by then
SAID_AGAIN = 60.0  # seconds after which the terminal says the same of a request that is none
RETRY = 1  # seconds after which one who was sent away may ask again
WORK = 600.0  # seconds for counting and reporting a file
JOBS = 2  # files worked on at a time
JOBS_WAITING = 30  # and waiting: each is a connection, and the page says that it waits
FILE_CLASSES = 1000  # of a file's table, and groups: more is an id or free text, not a class
FILE_GROUPS = 200
SYSTEMS = 30  # prediction columns that are compared
TABLES = 100_000  # simulated tables in one run
SIMULATED_CLASSES = 10
SIMULATED_CASES = 100_000  # cases in one simulated table
LEVELS = 21
FIGURE_RUNS = 5000  # simulated tables a level of a figure of the papers
SIMULATION = 60.0  # seconds
SIMULATIONS = 2  # runs at a time, beside the questions, so that a long one keeps nobody waiting

"""python -m informed"""

from informed.cli import main

main()

"""The match desk: the web application of a hall. `docs/decisions/032-desk.md` lists its files and tells why.

Commands come in and are stored as lines; boards go out to every screen. `fivepins serve` runs it.
"""

"""What the campaigns of torture.py and torture_attacks.py share."""

import os

# What a process may take beyond its limit of memory.
BESIDE = 64 << 20

# Seconds that a process may take to end; more on a machine that is busy with other work.
PATIENCE = float(os.environ.get("PATIENCE") or 120)


class Finding(Exception):
    """The program did what it should not."""


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


def files(name):
    """Returns the bytes of a table's file, if it is there."""
    endings = ["pods-table"]
    return [(ending, read(f"{name}.{ending}")) for ending in endings if os.path.exists(f"{name}.{ending}")]


def damaged(random, good):
    """Bytes changed, cut out, doubled, cut off or added."""
    data = bytearray(good)
    at = random.randrange(len(data) + 1)
    match random.randrange(6):
        case 0 if data:
            data[at % len(data)] ^= 1 << random.randrange(8)
        case 1 if data:
            data[at % len(data)] = random.randrange(256)
        case 2:
            del data[at:at + random.randrange(1, 50)]
        case 3:
            data[at:at] = data[at:at + random.randrange(1, 50)]
        case 4:
            del data[at:]
        case _:
            data[at:at] = bytes(random.randrange(256) for _ in range(random.randrange(1, 20)))
    return bytes(data)

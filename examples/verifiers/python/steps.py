"""What came of checks: each is a name and a state."""

OK, FAILED, OPEN = "ok", "failed", "not checkable"


class Steps(list):
    """Steps are (name, state, where)."""

    def add(self, name, is_good, where=""):
        self.append((name, OK if is_good else FAILED, where))
        return is_good

    def open(self, name, where=""):
        self.append((name, OPEN, where))

    def named(self, state):
        return sorted({name for name, its_state, _ in self if its_state == state})

    @property
    def is_good(self):
        return all(state != FAILED for _, state, _ in self)

"""Which report ids are known: an exact index of each open survey, in memory."""

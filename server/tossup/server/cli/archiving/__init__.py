"""Commands of archives: seal closed surveys as files, count these again, end their retention.

In: a data folder, or sealed files. Out: Parquet files, and estimates from them.
Sees single randomized reports, and no id once they are sealed.
"""

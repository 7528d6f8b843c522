// Loaded by `--import` into servers that tests start as processes.
import './watch.ts'

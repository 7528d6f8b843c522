import { readFileSync } from 'node:fs'

/** The ids of the parent process and, on Linux, of its parent: npm's shell and npm. */
export function readParents(): string {
  const { ppid } = process
  try {
    // pid (name) state ppid; the name may hold blanks and brackets.
    const status = readFileSync(`/proc/${String(ppid)}/stat`, 'utf8')
    return `${String(ppid)} ${status.slice(status.lastIndexOf(')') + 2).split(' ')[1] ?? ''}`
  } catch {
    return String(ppid)
  }
}

// The settings of a script's session that change how its values are read. Scripts keep the old ones in
// variables: `SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='…'`, later `SET SQL_MODE=@OLD_SQL_MODE`.
import { schoolTimeZone } from '@jiaowu/api/zoned-time'

export interface Session {
  /** The zone of timestamps: `SET TIME_ZONE`, which mysqldump writes, else the school's. */
  readonly zone: string
  /** The mode NO_AUTO_VALUE_ON_ZERO: 0 is a number of its own, not a request for the next. */
  readonly keepsZero: boolean
  /** Runs a SET statement. */
  readonly set: (text: string) => void
}

const assignment = /(@?@?[\w.]+)\s*:?=\s*(@@?[\w.]+|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[\w+:-]+)/g

export function createSession(): Session {
  const values = new Map([
    ['time_zone', 'SYSTEM'],
    ['sql_mode', ''],
  ])
  const read = (name: string) => values.get(toName(name)) ?? ''
  return {
    get zone() {
      const zone = read('time_zone')
      return zone === 'SYSTEM' || zone === '' ? schoolTimeZone : zone
    },
    get keepsZero() {
      return /no_auto_value_on_zero/i.test(read('sql_mode'))
    },
    set: (text) => {
      for (const [, name = '', value = ''] of text.matchAll(assignment))
        values.set(
          toName(name),
          value.startsWith('@') ? read(value) : value.replace(/^['"]|['"]$/g, ''),
        )
    },
  }
}

/** `@@session.sql_mode` and `SQL_MODE` are one; `@saved` is a variable. */
function toName(name: string): string {
  return name
    .toLowerCase()
    .replace(/^@@/, '')
    .replace(/^(session|local|global)\./, '')
}

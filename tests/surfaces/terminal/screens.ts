import type { MachineName } from '../../machines/registry.ts'
import type { Spec } from '../../machines/spec.ts'
import { type Loads, partsFrom, type SurfaceParts } from '../parts.ts'
import { terminalDriver } from './screen.tsx'
import type { TableSeen } from '../shown.ts'
import type { TerminalDriver } from './table.ts'

/** The screen of each machine on the terminal; null: none. */
export const terminalScreens: Loads<MachineName> = {
  session: terminal(() => import('../../machines/session/terminal.tsx')),
  entityList: terminal(() => import('../../machines/entity-list/terminal.tsx')),
  entityForm: terminal(() => import('../../machines/entity-form/terminal.tsx')),
  buttons: terminal(() => import('../../machines/buttons/terminal.tsx')),
  // A command on the terminal, with a line of progress and a typed confirmation.
  bulkEdit: null,
  adoptTables: terminal(() => import('../../machines/adopt-tables/terminal.tsx')),
  // Administration pages are the web's; on a terminal they are commands.
  resource: null,
  gridEdit: terminal(() => import('../../machines/grid-edit/terminal.tsx')),
  lookup: null,
  tags: null,
  countdown: null,
  // An export is a command with a line of progress, not a screen.
  transfer: terminal(() => import('../../machines/transfer/terminal.tsx')),
  smsCode: terminal(() => import('../../machines/sms-code/terminal.tsx')),
  signIn: terminal(async () => ({
    driver: (await import('./student-sign-in.tsx')).signInTerminal,
  })),
  register: terminal(async () => ({
    driver: (await import('./student-sign-in.tsx')).registerTerminal,
  })),
  reveal: terminal(() => import('../../machines/reveal/terminal.tsx')),
  notices: null,
  todoList: terminal(() => import('../../machines/todo-list/terminal.tsx')),
  download: terminal(() => import('../../machines/download/terminal.tsx')),
  // The command names the sheet; its grid has its own screen.
  entrySheet: terminal(() => import('../../machines/entry-sheet/terminal.tsx')),
  printPreview: null,
  designer: null,
  // A flag of a command chooses the view.
  views: null,
}

/** Loads the Ink screen of a machine when it is walked. */
function terminal(load: () => Promise<{ readonly driver: TerminalDriver }>) {
  return async (): Promise<SurfaceParts> => {
    const { parts, screen } = (await load()).driver
    return partsFrom(parts, (part) => {
      const spec = part as unknown as Spec<TableSeen>
      return { spec, drive: () => terminalDriver(spec, screen) }
    })
  }
}

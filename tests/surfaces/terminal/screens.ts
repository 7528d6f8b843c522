import type { Spec } from '../../machines/spec.ts'
import type { MachineName } from '../../machines/registry.ts'
import { type Loads, partsFrom, type SurfaceParts } from '../parts.ts'
import { terminalDriver } from './screen.tsx'
import type { TableSeen, TerminalDriver } from './table.ts'

/** The screen of each machine on the terminal; null: none. */
export const terminalScreens: Loads<MachineName> = {
  session: terminal(async () => {
    const { sessionTerminal } = await import('../../machines/session/terminal.tsx')
    return sessionTerminal
  }),
  entityList: null,
  entityForm: terminal(async () => {
    const { formTerminal } = await import('../../machines/entity-form/terminal.tsx')
    return formTerminal
  }),
  buttons: terminal(async () => {
    const { buttonsTerminal } = await import('../../machines/buttons/terminal.tsx')
    return buttonsTerminal
  }),
  // A command on the terminal, with a line of progress and a typed confirmation.
  bulkEdit: null,
  adoptTables: terminal(async () => {
    const { adoptTerminal } = await import('../../machines/adopt-tables/terminal.tsx')
    return adoptTerminal
  }),
  // Administration pages are the web's; on a terminal they are commands.
  resource: null,
  gridEdit: terminal(async () => {
    const { gridTerminal } = await import('../../machines/grid-edit/terminal.tsx')
    return gridTerminal
  }),
  lookup: null,
  tags: null,
  countdown: null,
  // An export is a command with a line of progress, not a screen.
  transfer: terminal(async () => {
    const { transferTerminal } = await import('../../machines/transfer/terminal.tsx')
    return transferTerminal
  }),
  smsCode: terminal(async () => {
    const { smsTerminal } = await import('../../machines/sms-code/terminal.tsx')
    return smsTerminal
  }),
  signIn: terminal(async () => {
    const { signInTerminal } = await import('./student-sign-in.tsx')
    return signInTerminal
  }),
  register: terminal(async () => {
    const { registerTerminal } = await import('./student-sign-in.tsx')
    return registerTerminal
  }),
  reveal: terminal(async () => {
    const { revealTerminal } = await import('../../machines/reveal/terminal.tsx')
    return revealTerminal
  }),
  notices: null,
  download: terminal(async () => {
    const { downloadTerminal } = await import('../../machines/download/terminal.tsx')
    return downloadTerminal
  }),
  // The command names the sheet; its grid has its own screen.
  entrySheet: terminal(async () => {
    const { entryTerminal } = await import('../../machines/entry-sheet/terminal.tsx')
    return entryTerminal
  }),
  printPreview: null,
  designer: null,
  // A flag of a command chooses the view.
  views: null,
}

/** Loads the Ink screen of a machine when it is walked. */
function terminal(load: () => Promise<TerminalDriver>) {
  return async (): Promise<SurfaceParts> => {
    const { parts, makeScreen } = await load()
    return partsFrom(parts, (part) => {
      const spec = part as unknown as Spec<TableSeen>
      return { spec, drive: () => terminalDriver(spec, makeScreen()) }
    })
  }
}

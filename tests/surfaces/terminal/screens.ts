import type { Spec } from '../../machines/spec.ts'
import type { MachineName } from '../../machines/registry.ts'
import { type Loads, partsFrom, type SurfaceParts } from '../parts.ts'
import { terminalDriver } from './screen.tsx'
const small = () => import('./small.tsx')
const door = () => import('./student-sign-in.tsx')

/** The screen of each machine on the terminal; null: none. */
export const terminalScreens: Loads<MachineName> = {
  session: terminal(async () => {
    const { sessionOnTerminal, sessionTerminal } = await small()
    return {
      parts: { session: sessionOnTerminal },
      onTerminal: (spec) => spec,
      makeScreen: sessionTerminal,
    }
  }),
  entityList: null,
  entityForm: terminal(async () => {
    const { formOnTerminal, formTerminal } = await import('../../machines/entity-form/terminal.tsx')
    const { formAddModel, formEditModel, formStaleModel } =
      await import('../../machines/entity-form/model.ts')
    return {
      parts: { add: formAddModel, edit: formEditModel, stale: formStaleModel },
      onTerminal: (spec) => formOnTerminal(spec as unknown as Spec<unknown>),
      makeScreen: formTerminal,
    }
  }),
  buttons: terminal(async () => {
    const { buttonsOnTerminal, buttonsTerminal } =
      await import('../../machines/buttons/terminal.tsx')
    const { buttonsModels } = await import('../../machines/buttons/model.ts')
    return {
      parts: buttonsModels.parts,
      onTerminal: (spec) => buttonsOnTerminal(spec as unknown as Spec<unknown>),
      makeScreen: buttonsTerminal,
    }
  }),
  // A command on the terminal, with a line of progress and a typed confirmation.
  bulkEdit: null,
  adoptTables: terminal(async () => {
    const { adoptOnTerminal, adoptTerminal } =
      await import('../../machines/adopt-tables/terminal.tsx')
    const { adoptTablesModels } = await import('../../machines/adopt-tables/model.ts')
    return {
      parts: adoptTablesModels.parts,
      onTerminal: (spec) => adoptOnTerminal(spec as unknown as Spec<unknown>),
      makeScreen: adoptTerminal,
    }
  }),
  // Administration pages are the web's; on a terminal they are commands.
  resource: null,
  gridEdit: terminal(async () => {
    const { gridOnTerminal, gridTerminal } = await import('../../machines/grid-edit/terminal.tsx')
    const { gridEditModels, gridTerminalParts } = await import('../../machines/grid-edit/model.ts')
    return {
      parts: Object.fromEntries(
        gridTerminalParts.map((name) => [name, gridEditModels.parts[name]]),
      ),
      onTerminal: (spec) => gridOnTerminal(spec as unknown as Spec<unknown>),
      makeScreen: gridTerminal,
    }
  }),
  lookup: null,
  tags: null,
  countdown: null,
  // An export is a command with a line of progress, not a screen.
  transfer: terminal(async () => {
    const { transferOnTerminal, transferTerminal } =
      await import('../../machines/transfer/terminal.tsx')
    const { exporting: _exporting, ...parts } = (await import('../../machines/transfer/model.ts'))
      .transferParts
    return {
      parts: parts,
      onTerminal: (spec) => transferOnTerminal(spec as unknown as Spec<unknown>),
      makeScreen: transferTerminal,
    }
  }),
  smsCode: terminal(async () => {
    const { smsOnTerminal, smsTerminal } = await small()
    return { parts: { sms: smsOnTerminal }, onTerminal: (spec) => spec, makeScreen: smsTerminal }
  }),
  signIn: terminal(async () => {
    const { signInOnTerminal, signInTerminal } = await door()
    const { signInModels } = await import('../../machines/sign-in/model.ts')
    return {
      parts: signInModels.parts,
      onTerminal: (spec) => signInOnTerminal(spec),
      makeScreen: signInTerminal,
    }
  }),
  register: terminal(async () => {
    const { registerOnTerminal, registerTerminal } = await door()
    const { registerModels } = await import('../../machines/register/model.ts')
    return {
      parts: registerModels.parts,
      onTerminal: (spec) => registerOnTerminal(spec),
      makeScreen: registerTerminal,
    }
  }),
  reveal: terminal(async () => {
    const { revealOnTerminal, revealTerminal } = await import('../../machines/reveal/terminal.tsx')
    const { revealModels } = await import('../../machines/reveal/model.ts')
    return {
      parts: revealModels.parts,
      onTerminal: (spec) => revealOnTerminal(spec as unknown as Spec<unknown>),
      makeScreen: revealTerminal,
    }
  }),
  notices: null,
  download: terminal(async () => {
    const { downloadOnTerminal, downloadTerminal } =
      await import('../../machines/download/terminal.tsx')
    const { downloadModels } = await import('../../machines/download/model.ts')
    return {
      parts: downloadModels.parts,
      onTerminal: (spec) => downloadOnTerminal(spec as unknown as Spec<unknown>),
      makeScreen: downloadTerminal,
    }
  }),
  // The command names the sheet; its grid has its own screen.
  entrySheet: terminal(async () => {
    const { entryOnTerminal, entryTerminal } =
      await import('../../machines/entry-sheet/terminal.tsx')
    const { address } = (await import('../../machines/entry-sheet/model.ts')).entryModels.parts
    return {
      parts: { address },
      onTerminal: (spec) => entryOnTerminal(spec as unknown as Spec<unknown>),
      makeScreen: entryTerminal,
    }
  }),
  printPreview: null,
  designer: null,
  // A flag of a command chooses the view.
  views: null,
}

/** Loads the Ink screen of a machine when it is walked. */
function terminal(
  load: () => Promise<{
    readonly parts: object
    onTerminal(spec: Spec<never>): unknown
    makeScreen(): unknown
  }>,
) {
  return async (): Promise<SurfaceParts> => {
    const { parts, onTerminal, makeScreen } = await load()
    return partsFrom(parts, (part) => {
      const spec = onTerminal({ ...part, unhandled: [] }) as Spec<unknown>
      return {
        spec,
        drive: () => terminalDriver(spec, makeScreen() as Parameters<typeof terminalDriver>[1]),
      }
    })
  }
}

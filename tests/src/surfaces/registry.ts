import { bareDriver, type Driver, type Spec } from '../model/index.ts'
import type { MachineModel } from '../models/machine-model.ts'
import { type MachineName, models } from '../models/registry.ts'

export const surfaceNames = ['bare', 'web', 'terminal'] as const
export type SurfaceName = (typeof surfaceNames)[number]
/** One concern of a machine on a surface: the model as it is seen there, and a fresh driver for each path. */
export interface SurfacePart { readonly spec: Spec<unknown>; drive(): Driver<unknown> }
export type SurfaceParts = Readonly<Record<string, SurfacePart>>

type Parts = Readonly<Record<string, Spec<never>>>
const eachOf = (parts: Parts, make: (spec: Spec<never>) => { readonly spec: unknown; drive(): unknown }): SurfaceParts => Object.fromEntries(Object.entries(parts).map(([name, spec]) => [name, make(spec) as SurfacePart]))

/** A machine's screens, loaded when they are walked: each needs its own surroundings (a document, a terminal). */
const web = <Bare, Seen>(load: () => Promise<{ readonly model: MachineModel<Bare>; onScreen(spec: Spec<Bare>): Spec<Seen>; makeScreen(): unknown }>) => async (): Promise<SurfaceParts> => {
  const { webDriver } = await import('./web/screen.tsx')
  const { model, onScreen, makeScreen } = await load()
  return eachOf(model.parts as unknown as Parts, (part) => ({ spec: { ...onScreen(part as unknown as Spec<Bare>), sneak: [] }, drive: () => webDriver(makeScreen() as Parameters<typeof webDriver>[0]) }))
}
const terminal = (load: () => Promise<{ readonly parts: Parts; onTerminal(spec: Spec<never>): unknown; makeScreen(): unknown }>) => async (): Promise<SurfaceParts> => {
  const { terminalDriver } = await import('./terminal/screen.tsx')
  const { parts, onTerminal, makeScreen } = await load()
  return eachOf(parts, (part) => { const spec = onTerminal({ ...part, sneak: [] }) as Spec<unknown>; return { spec, drive: () => terminalDriver(spec, makeScreen() as Parameters<typeof terminalDriver>[1]) } })
}

const door = () => import('./web/student-door.tsx')
const small = () => import('./terminal/small.tsx')

type Screens = Readonly<Partial<Record<Exclude<SurfaceName, 'bare'>, () => Promise<SurfaceParts>>>>
/** Where each machine is drawn. A machine without a line does not compile; one that is drawn nowhere says so by an empty one. */
const screens: Readonly<Record<MachineName, Screens>> = {
  session: {
    web: web(async () => { const { sessionOnScreen, sessionScreen } = await import('./web/session.tsx'); const { sessionModels } = await import('../models/session.model.ts'); return { model: sessionModels, onScreen: sessionOnScreen, makeScreen: sessionScreen } }),
    terminal: terminal(async () => { const { sessionOnTerminal, sessionTerminal } = await small(); return { parts: { session: sessionOnTerminal as Spec<never> }, onTerminal: (spec) => spec, makeScreen: sessionTerminal } }),
  },
  entityList: { web: web(async () => { const { listOnScreen, listScreen } = await import('./web/entity-list.tsx'); const { entityListModels } = await import('../models/entity-list.model.ts'); return { model: entityListModels, onScreen: listOnScreen, makeScreen: listScreen } }) },
  entityForm: {
    web: web(async () => { const { formOnScreen, formScreen } = await import('./web/entity-form.tsx'); const { entityFormModels } = await import('../models/entity-form.model.ts'); return { model: entityFormModels, onScreen: formOnScreen, makeScreen: formScreen } }),
    terminal: terminal(async () => { const { formOnTerminal, formTerminal } = await import('./terminal/entity-form.tsx'); const { formAddModel, formEditModel, formStaleModel } = await import('../models/entity-form.model.ts'); return { parts: { add: formAddModel, edit: formEditModel, stale: formStaleModel } as unknown as Parts, onTerminal: (spec) => formOnTerminal(spec as unknown as Spec<unknown>), makeScreen: formTerminal } }),
  },
  lookup: { web: web(async () => { const { lookupOnScreen, lookupScreen } = await import('./web/lookup.tsx'); const { lookupModels } = await import('../models/lookup.model.ts'); return { model: lookupModels, onScreen: lookupOnScreen, makeScreen: lookupScreen } }) },
  tags: { web: web(async () => { const { tagsOnScreen, tagsScreen } = await import('./web/tags.tsx'); const { tagsModels } = await import('../models/tags.model.ts'); return { model: tagsModels, onScreen: tagsOnScreen, makeScreen: tagsScreen } }) },
  // A child of others: their screens count down.
  countdown: {},
  transfer: {
    web: web(async () => { const { transferOnScreen, transferScreen } = await import('./web/transfer.tsx'); const { transferModels } = await import('../models/transfer.model.ts'); return { model: transferModels, onScreen: transferOnScreen, makeScreen: transferScreen } }),
    // On a terminal an export is a command with a line of progress, not a screen.
    terminal: terminal(async () => { const { transferOnTerminal, transferTerminal } = await import('./terminal/transfer.tsx'); const { exporting: _exporting, ...parts } = (await import('../models/transfer.model.ts')).transferParts; return { parts: parts as unknown as Parts, onTerminal: (spec) => transferOnTerminal(spec as unknown as Spec<unknown>), makeScreen: transferTerminal } }),
  },
  smsCode: {
    web: web(async () => { const { smsOnScreen, smsScreen } = await door(); const { smsCodeModel, smsCodeModels } = await import('../models/sms-code.model.ts'); return { model: smsCodeModels, onScreen: smsOnScreen, makeScreen: () => smsScreen(smsCodeModel) } }),
    terminal: terminal(async () => { const { smsOnTerminal, smsTerminal } = await small(); return { parts: { sms: smsOnTerminal as Spec<never> }, onTerminal: (spec) => spec, makeScreen: smsTerminal } }),
  },
  signIn: { web: web(async () => { const { signInOnScreen, signInScreen } = await door(); const { signInModels } = await import('../models/sign-in.model.ts'); return { model: signInModels, onScreen: signInOnScreen, makeScreen: signInScreen } }) },
  register: { web: web(async () => { const { registerOnScreen, registerScreen } = await door(); const { registerModels } = await import('../models/register.model.ts'); return { model: registerModels, onScreen: registerOnScreen, makeScreen: registerScreen } }) },
  notices: { web: web(async () => { const { noticesOnScreen, noticesScreen } = await import('./web/student-notices.tsx'); const { noticesModels } = await import('../models/notices.model.ts'); return { model: noticesModels, onScreen: noticesOnScreen, makeScreen: noticesScreen } }) },
  download: {
    web: web(async () => { const { downloadOnScreen, downloadScreen } = await import('./web/student-download.tsx'); const { downloadModels } = await import('../models/download.model.ts'); return { model: downloadModels, onScreen: downloadOnScreen, makeScreen: downloadScreen } }),
    terminal: terminal(async () => { const { downloadOnTerminal, downloadTerminal } = await import('./terminal/download.tsx'); const { downloadModels } = await import('../models/download.model.ts'); return { parts: downloadModels.parts as unknown as Parts, onTerminal: (spec) => downloadOnTerminal(spec as unknown as Spec<unknown>), makeScreen: downloadTerminal } }),
  },
  printPreview: { web: web(async () => { const { printOnScreen, printScreen } = await import('./web/print-preview.tsx'); const { printPreviewModels } = await import('../models/print-preview.model.ts'); return { model: printPreviewModels, onScreen: printOnScreen, makeScreen: printScreen } }) },
  designer: {},
}

/** Whether a machine is drawn there, and in which concerns it is walked. */
export const isDrawn = (machine: MachineName, surface: SurfaceName): boolean => surface === 'bare' || screens[machine][surface] !== undefined
export const partsOn = async (machine: MachineName, surface: SurfaceName): Promise<SurfaceParts> =>
  surface === 'bare' ? eachOf(models[machine].parts as unknown as Parts, (spec) => ({ spec, drive: () => bareDriver(spec as unknown as Spec<unknown>) })) : ((await screens[machine][surface]?.()) ?? {})

import type { Spec } from '../../model/index.ts'
import type { MachineModel } from '../../models/machine-model.ts'
import type { MachineName } from '../../models/registry.ts'
import { type Loads, partsFrom, type SurfaceParts } from '../parts.ts'
import { webDriver } from './screen.tsx'
const door = () => import('./student-door.tsx')

/** Where each machine is drawn on the web; null: nowhere. */
export const webScreens: Loads<MachineName> = {
  session: web(async () => {
    const { sessionOnScreen, sessionScreen } = await import('./session.tsx')
    const { sessionConcerns } = await import('../../models/session.model.ts')
    return { model: sessionConcerns, onScreen: sessionOnScreen, makeScreen: sessionScreen }
  }),
  entityList: web(async () => {
    const { listOnScreen, listScreen } = await import('./entity-list.tsx')
    const { entityListModels } = await import('../../models/entity-list.model.ts')
    return { model: entityListModels, onScreen: listOnScreen, makeScreen: listScreen }
  }),
  entityForm: web(async () => {
    const { formOnScreen, formScreen } = await import('./entity-form.tsx')
    const { entityFormModels } = await import('../../models/entity-form.model.ts')
    return { model: entityFormModels, onScreen: formOnScreen, makeScreen: formScreen }
  }),
  bulkEdit: web(async () => {
    const { bulkOnScreen, bulkScreen } = await import('./bulk-edit.tsx')
    const { bulkEditModels } = await import('../../models/bulk-edit.model.ts')
    return { model: bulkEditModels, onScreen: bulkOnScreen, makeScreen: bulkScreen }
  }),
  lookup: web(async () => {
    const { lookupOnScreen, lookupScreen } = await import('./lookup.tsx')
    const { lookupModels } = await import('../../models/lookup.model.ts')
    return { model: lookupModels, onScreen: lookupOnScreen, makeScreen: lookupScreen }
  }),
  tags: web(async () => {
    const { tagsOnScreen, tagsScreen } = await import('./tags.tsx')
    const { tagsModels } = await import('../../models/tags.model.ts')
    return { model: tagsModels, onScreen: tagsOnScreen, makeScreen: tagsScreen }
  }),
  // A child of others: their screens count down.
  countdown: null,
  transfer: web(async () => {
    const { transferOnScreen, transferScreen } = await import('./transfer.tsx')
    const { transferModels } = await import('../../models/transfer.model.ts')
    return { model: transferModels, onScreen: transferOnScreen, makeScreen: transferScreen }
  }),
  smsCode: web(async () => {
    const { smsOnScreen, smsScreen } = await door()
    const { smsCodeModel, smsCodeModels } = await import('../../models/sms-code.model.ts')
    return {
      model: smsCodeModels,
      onScreen: smsOnScreen,
      makeScreen: () => smsScreen(smsCodeModel),
    }
  }),
  signIn: web(async () => {
    const { signInOnScreen, signInScreen } = await door()
    const { signInModels } = await import('../../models/sign-in.model.ts')
    return { model: signInModels, onScreen: signInOnScreen, makeScreen: signInScreen }
  }),
  register: web(async () => {
    const { registerOnScreen, registerScreen } = await door()
    const { registerModels } = await import('../../models/register.model.ts')
    return { model: registerModels, onScreen: registerOnScreen, makeScreen: registerScreen }
  }),
  notices: web(async () => {
    const { noticesOnScreen, noticesScreen } = await import('./student-notices.tsx')
    const { noticesModels } = await import('../../models/notices.model.ts')
    return { model: noticesModels, onScreen: noticesOnScreen, makeScreen: noticesScreen }
  }),
  download: web(async () => {
    const { downloadOnScreen, downloadScreen } = await import('./student-download.tsx')
    const { downloadModels } = await import('../../models/download.model.ts')
    return { model: downloadModels, onScreen: downloadOnScreen, makeScreen: downloadScreen }
  }),
  printPreview: web(async () => {
    const { printOnScreen, printScreen } = await import('./print-preview.tsx')
    const { printPreviewModels } = await import('../../models/print-preview.model.ts')
    return { model: printPreviewModels, onScreen: printOnScreen, makeScreen: printScreen }
  }),
  designer: async () => {
    // Loaded beforehand: what is fetched when it is first needed comes later than the screen comes to rest.
    await import('../../../../apps/web/src/design/json/json-editor.tsx')
    const { designerOnScreen, designerScreen, earlierDesign, isMarked } =
      await import('./designer.tsx')
    const { designerModels } = await import('../../models/designer.model.ts')
    return partsFrom(designerModels.parts, (part, name) => ({
      spec: { ...designerOnScreen(isMarked(name))(part), sneak: [] },
      drive: () => webDriver(designerScreen(earlierDesign, isMarked(name))),
    }))
  },
  views: web(async () => {
    const { viewsOnScreen, viewsScreen } = await import('./views.tsx')
    const { viewsModels } = await import('../../models/views.model.ts')
    return { model: viewsModels, onScreen: viewsOnScreen, makeScreen: viewsScreen }
  }),
}

/** A machine's pages, loaded when they are walked. */
function web<Bare, Seen>(
  load: () => Promise<{
    readonly model: MachineModel<Bare>
    onScreen(spec: Spec<Bare>): Spec<Seen>
    makeScreen(): unknown
  }>,
) {
  return async (): Promise<SurfaceParts> => {
    const { model, onScreen, makeScreen } = await load()
    return partsFrom(model.parts, (part) => ({
      spec: { ...onScreen(part as unknown as Spec<Bare>), sneak: [] },
      drive: () => webDriver(makeScreen() as Parameters<typeof webDriver>[0]),
    }))
  }
}

import type { Spec } from '../../machines/spec.ts'
import type { MachineModel } from '../../machines/machine-model.ts'
import type { MachineName } from '../../machines/registry.ts'
import { type Loads, partsFrom, type SurfaceParts } from '../parts.ts'
import { webDriver } from './screen.tsx'

/** The page of each machine on the web; null: none. */
export const webScreens: Loads<MachineName> = {
  session: web(async () => {
    const { sessionWeb } = await import('../../machines/session/web.tsx')
    return sessionWeb
  }),
  entityList: web(async () => {
    const { entityListWeb } = await import('../../machines/entity-list/web.tsx')
    return entityListWeb
  }),
  entityForm: web(async () => {
    const { entityFormWeb } = await import('../../machines/entity-form/web.tsx')
    return entityFormWeb
  }),
  buttons: web(async () => {
    const { buttonsWeb } = await import('../../machines/buttons/web.tsx')
    return buttonsWeb
  }),
  bulkEdit: web(async () => {
    const { bulkEditWeb } = await import('../../machines/bulk-edit/web.tsx')
    return bulkEditWeb
  }),
  gridEdit: web(async () => {
    const { gridEditWeb } = await import('../../machines/grid-edit/web.tsx')
    return gridEditWeb
  }),
  entrySheet: web(async () => {
    const { entryWeb } = await import('../../machines/entry-sheet/web.tsx')
    return entryWeb
  }),
  lookup: web(async () => {
    const { lookupWeb } = await import('../../machines/lookup/web.tsx')
    return lookupWeb
  }),
  tags: web(async () => {
    const { tagsWeb } = await import('../../machines/tags/web.tsx')
    return tagsWeb
  }),
  // A child of other machines; their pages show the countdown.
  countdown: null,
  transfer: web(async () => {
    const { transferWeb } = await import('../../machines/transfer/web.tsx')
    return transferWeb
  }),
  smsCode: web(async () => {
    const { smsCodeWeb } = await import('../../machines/sms-code/web.tsx')
    return smsCodeWeb
  }),
  signIn: web(async () => {
    const { signInWeb } = await import('../../machines/sign-in/web.tsx')
    return signInWeb
  }),
  register: web(async () => {
    const { registerWeb } = await import('../../machines/register/web.tsx')
    return registerWeb
  }),
  resource: web(async () => {
    const { resourceWeb } = await import('../../machines/resource/web.tsx')
    return resourceWeb
  }),
  reveal: web(async () => {
    const { revealWeb } = await import('../../machines/reveal/web.tsx')
    return revealWeb
  }),
  adoptTables: web(async () => {
    const { adoptTablesWeb } = await import('../../machines/adopt-tables/web.tsx')
    return adoptTablesWeb
  }),
  notices: web(async () => {
    const { noticesWeb } = await import('../../machines/notices/web.tsx')
    return noticesWeb
  }),
  download: web(async () => {
    const { downloadWeb } = await import('../../machines/download/web.tsx')
    return downloadWeb
  }),
  printPreview: web(async () => {
    const { printPreviewWeb } = await import('../../machines/print-preview/web.tsx')
    return printPreviewWeb
  }),
  designer: async () => {
    // Preloaded: a lazy import would finish after the screen has come to rest.
    await import('../../../apps/web/src/features/designer/json/json-editor.tsx')
    const { designerWebOf, isMarked } = await import('../../machines/designer/web.tsx')
    const { designerModels } = await import('../../machines/designer/model.ts')
    return partsFrom(designerModels.parts, (part, name) => {
      const driver = designerWebOf(isMarked(name))
      return {
        spec: { ...driver.onScreen(part as unknown as Spec<unknown>), unhandled: [] },
        drive: () => webDriver(driver.makeScreen()),
      }
    })
  },
  views: web(async () => {
    const { viewsWeb } = await import('../../machines/views/web.tsx')
    return viewsWeb
  }),
}

/** Loads the page of a machine when it is walked. */
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
      spec: { ...onScreen(part as unknown as Spec<Bare>), unhandled: [] },
      drive: () => webDriver(makeScreen() as Parameters<typeof webDriver>[0]),
    }))
  }
}

import type { Spec } from '../../machines/spec.ts'
import type { MachineName } from '../../machines/registry.ts'
import { type Loads, partsFrom, type SurfaceParts } from '../parts.ts'
import { webDriver } from './screen.tsx'
import type { WebDriver } from './table.ts'

/** The page of each machine on the web; null: none. */
export const webScreens: Loads<MachineName> = {
  session: web(async () => (await import('../../machines/session/web.tsx')).sessionWeb),
  entityList: web(async () => (await import('../../machines/entity-list/web.tsx')).entityListWeb),
  entityForm: web(async () => (await import('../../machines/entity-form/web.tsx')).entityFormWeb),
  buttons: web(async () => (await import('../../machines/buttons/web.tsx')).buttonsWeb),
  bulkEdit: web(async () => (await import('../../machines/bulk-edit/web.tsx')).bulkEditWeb),
  gridEdit: web(async () => (await import('../../machines/grid-edit/web.tsx')).gridEditWeb),
  entrySheet: web(async () => (await import('../../machines/entry-sheet/web.tsx')).entryWeb),
  lookup: web(async () => (await import('../../machines/lookup/web.tsx')).lookupWeb),
  tags: web(async () => (await import('../../machines/tags/web.tsx')).tagsWeb),
  // A child of other machines; their pages show the countdown.
  countdown: null,
  transfer: web(async () => (await import('../../machines/transfer/web.tsx')).transferWeb),
  smsCode: web(async () => (await import('../../machines/sms-code/web.tsx')).smsCodeWeb),
  signIn: web(async () => (await import('../../machines/sign-in/web.tsx')).signInWeb),
  register: web(async () => (await import('../../machines/register/web.tsx')).registerWeb),
  resource: web(async () => (await import('../../machines/resource/web.tsx')).resourceWeb),
  reveal: web(async () => (await import('../../machines/reveal/web.tsx')).revealWeb),
  adoptTables: web(
    async () => (await import('../../machines/adopt-tables/web.tsx')).adoptTablesWeb,
  ),
  todoList: web(async () => (await import('../../machines/todo-list/web.tsx')).todoListWeb),
  notices: web(async () => (await import('../../machines/notices/web.tsx')).noticesWeb),
  download: web(async () => (await import('../../machines/download/web.tsx')).downloadWeb),
  printPreview: web(
    async () => (await import('../../machines/print-preview/web.tsx')).printPreviewWeb,
  ),
  designer: async () => {
    // Preloaded: a lazy import would finish after the screen has come to rest.
    await import('../../../apps/web/src/features/designer/json/json-editor.tsx')
    const { createDesignerWeb: designerWebOf, isMarked } =
      await import('../../machines/designer/web.tsx')
    const { designerModels } = await import('../../machines/designer/model.ts')
    return partsFrom(designerModels.parts, (part, name) =>
      walkPart(designerWebOf(isMarked(name)), part as unknown as Spec<unknown>),
    )
  },
  views: web(async () => (await import('../../machines/views/web.tsx')).viewsWeb),
}

/** Loads the page of a machine when it is walked. */
function web(load: () => Promise<WebDriver>) {
  return async (): Promise<SurfaceParts> => {
    const driver = await load()
    return partsFrom(driver.model.parts, (part) =>
      walkPart(driver, part as unknown as Spec<unknown>),
    )
  }
}

function walkPart({ onScreen, makeScreen, listSays }: WebDriver, part: Spec<unknown>) {
  return {
    listSays,
    spec: { ...onScreen(part), unhandled: [] },
    drive: () => webDriver(makeScreen()),
  }
}

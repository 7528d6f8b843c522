import type { Context, ServerHandlers } from '../../model/context.ts'
import { isForm } from '../../platform/requests/media-type.ts'
import { buildEntityConfig } from '../config/entity-config.ts'
import { loadOpenFields } from '../flow/open-fields.ts'
import { exportRows } from '../export/export.ts'
import { accessTo } from '../../access/access.ts'
import { parseCascades, findLookupChoices } from '../choices/lookup.ts'
import { exactTotal, loadPage } from '../read/page.ts'
import { removeRows } from '../write/removal/remove.ts'
import { loadRow } from '../read/row.ts'
import { guardReading } from '../read/unreadable.ts'
import { createTemplate } from '../export/template.ts'
import type { LoadedEntity } from '../../model/definition/loaded.ts'
import { createOnce } from '../write/create-once.ts'
import { valuesOfForm } from '../write/values/form-values.ts'
import type { Body } from '../write/values/values.ts'
import { updateRow } from '../write/write.ts'
import { revealValue } from '../personal/reveal.ts'
import { Invalid, notFound } from '../../platform/refusal.ts'
import { unknownField } from '../read/query.ts'
import { applyViewToExport, applyViewToPage } from '../views/apply-view.ts'

const loadEntity = ({ registry, subject }: Context, tag: string) =>
  registry.get(subject.tenant, tag)

function bodyFor({ request }: Context, entity: LoadedEntity, body: Body): Body {
  return isForm(request) ? valuesOfForm(entity, body) : body
}

/** The generic calls of every entity (docs/spec/1-entity-console.md §7). */
export const entityDataHandlers = {
  config: async ({ params }, context) =>
    await buildEntityConfig(context, await loadEntity(context, params.tag)),
  page: async ({ params, body }, context) => {
    const access = await accessTo(context, await loadEntity(context, params.tag), 'view')
    const { query, lacks } = await applyViewToPage(context, access, body)
    const page = await guardReading(context, access.entity, () => loadPage(context, access, query))
    const open = body.withOpen === true ? await loadOpenFields(context, access, page.records) : null
    return {
      ...page,
      ...(lacks > 0 && { viewLacks: lacks }),
      ...(open !== null && { open }),
    }
  },
  count: async ({ params, body }, context) => {
    const access = await accessTo(context, await loadEntity(context, params.tag), 'view')
    const { query } = await applyViewToPage(context, access, body)
    const total = await guardReading(context, access.entity, () =>
      exactTotal(context, access, query),
    )
    return { total }
  },
  get: async ({ params }, context) => {
    const access = await accessTo(context, await loadEntity(context, params.tag), 'view')
    return await guardReading(context, access.entity, () => loadRow(context, access, params.id))
  },
  create: async ({ params, body }, context) => {
    const entity = await loadEntity(context, params.tag)
    return await createOnce(context, entity, bodyFor(context, entity, body))
  },
  update: async ({ params, body }, context) => {
    const entity = await loadEntity(context, params.tag)
    return await updateRow(context, entity, params.id, bodyFor(context, entity, body))
  },
  remove: async ({ params }, context) =>
    await removeRows(context, await loadEntity(context, params.tag), params.ids),
  reveal: async ({ params, body }, context) =>
    await revealValue(context, await loadEntity(context, params.tag), { id: params.id, ...body }),
  export: async ({ params, body }, context) => {
    if (body.reveal === true) await context.proveFresh()
    const entity = await loadEntity(context, params.tag)
    const query =
      body.view === undefined
        ? body
        : await applyViewToExport(context, await accessTo(context, entity, 'export'), body)
    return await guardReading(context, entity, () => exportRows(context, entity, query))
  },
  template: async ({ params }, context) =>
    await createTemplate(context, await loadEntity(context, params.tag)),
  lookup: async ({ params, body }, context) =>
    await findLookupChoices(context, await loadEntity(context, params.tag), body),
  lookupForm: async ({ body }, context) => {
    const entity =
      body.tag === undefined || body.tag === ''
        ? await context.registry.ofField(context.subject.tenant, body.fieldId)
        : await loadEntity(context, body.tag)
    if (entity === undefined)
      throw body.tag === undefined ? new Invalid([unknownField('fieldId')]) : notFound()
    return await findLookupChoices(context, entity, {
      ...body,
      cascades: parseCascades(body.cascades),
    })
  },
} satisfies ServerHandlers['entityData']

import { parseLocale } from '@jiaowu/api/locale'
import { describeEntities } from '../../platform/openapi/typed-records.ts'
import type { ServerHandlers } from '../../model/context.ts'
import { buildEntityConfig } from '../config/entity-config.ts'

export const descriptionHandlers: ServerHandlers['description'] = {
  entities: async ({ query: { entities, lang } }, context) => {
    const configs = []
    for (const tag of new Set(entities.split(','))) {
      const entity = await context.registry.get(context.subject.tenant, tag)
      configs.push(await buildEntityConfig(context, entity))
    }
    const text = describeEntities(configs, lang === undefined ? context.locale : parseLocale(lang))
    return new Response(text, {
      headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    })
  },
}

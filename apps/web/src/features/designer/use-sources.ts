import type { DictItem } from '@jiaowu/api/entity/values'
import { dictTypes } from '@jiaowu/api/entity/enums'
import type { EntityDefinition, FieldDefinition } from '@jiaowu/api/entity/definition/definition'
import { holdsValue } from '@jiaowu/api/fields/kinds'
import { useMemo } from 'react'
import { useApi } from '../../app/api-context.ts'
import type { Choice } from './config/rows.ts'
import type { KnownItems } from './preview/config-of.ts'
import { useLoad } from './definitions/use-load.ts'

const none: readonly Choice[] = []
const dictionaryEntity = 'SYS_DICT'

/**
 * Suggestions for the choices of a field: dictionaries, entities, and attributes of the entity that
 * the field names. A user without permission to list dictionaries types their code.
 */
export function useSources(selected: FieldDefinition | null) {
  const { api, can } = useApi()
  const dictionaries = useLoad(
    can(`entity:${dictionaryEntity}:view`) ? 'dictionaries' : null,
    (signal) =>
      api.entityData.page({
        params: { tag: dictionaryEntity },
        body: { pageNum: 1, pageSize: 300 },
        signal,
      }),
  )
  const entities = useLoad('entities', (signal) =>
    api.design.page({
      body: { pageNum: 1, pageSize: -1, queries: {}, sorts: [{ column: 'tag', asc: true }] },
      signal,
    }),
  )
  const tag =
    selected?.dictType === dictTypes.entity ? (selected.dictValue ?? '').split('.')[0] : ''
  const known = entities.data?.records.some((entity) => entity.tag === tag) ?? false
  const source = useLoad(known && tag !== undefined ? tag : null, (signal) =>
    api.design.load({ params: { tag: tag ?? '' }, signal }),
  )
  return useMemo(
    () => ({
      dictionaries: (dictionaries.data?.records ?? []).map((row): Choice => ({
        value: String(row['code'] ?? ''),
        text: String(row['name'] ?? ''),
      })),
      entities: (entities.data?.records ?? []).map((entity): Choice => ({
        value: entity.tag,
        text: `${entity.tag} ${entity.name}`,
      })),
      attributes:
        source.data === null || source.data.tag !== tag
          ? none
          : source.data.fields
              .filter(({ uiType }) => holdsValue(uiType))
              .map(({ attrName, uiLabel }): Choice => ({
                value: attrName,
                text: `${uiLabel} ${attrName}`,
              })),
    }),
    [dictionaries.data, entities.data, source.data, tag],
  )
}

/** Items of the dictionaries that a draft names, for its preview. */
export function useKnownItems(draft: EntityDefinition): KnownItems {
  const { api } = useApi()
  const codes = [
    ...new Set(
      draft.fields.flatMap(({ dictType, dictValue }) =>
        dictType === dictTypes.dictionary && dictValue !== null ? [dictValue] : [],
      ),
    ),
  ]
    .toSorted()
    .join(',')
  const { data } = useLoad(
    codes === '' ? null : codes,
    (signal) =>
      api.dictionary.codes({ query: { codes }, signal }) as Promise<
        Readonly<Record<string, readonly DictItem[]>>
      >,
  )
  return data ?? {}
}

import { studentTag } from '@jiaowu/api/entity/definition/flow'
import { dictTypes } from '@jiaowu/api/entity/enums'
import { findKind } from '@jiaowu/api/fields/kinds'
import type { Draft } from '@jiaowu/machines/designer/draft'
import { listOpenFields, listStateFields } from '@jiaowu/machines/designer/flow/start'
import { useMemo } from 'react'
import { useApi } from '../../../app/api-context.ts'
import { useText } from '../../../app/text-context.ts'
import type { Choice } from '../config/rows.ts'
import { useLoad } from '../definitions/use-load.ts'
import { chooseName } from './places.ts'

const roleEntity = 'SYS_ROLE'
const none: readonly Choice[] = []

export interface FlowSources {
  /** Roles of the school by code; none where the user may not list them. */
  readonly roles: readonly Choice[]
  /** Fields that can hold the state. */
  readonly stateFields: readonly Choice[]
  /** Fields that states open and deciders fill in. */
  readonly openFields: readonly Choice[]
  /** Fields that lead to a row: of a person, a part of the organisation, or another entity. */
  readonly relations: readonly Choice[]
  /** The relations that lead to a student. */
  readonly students: readonly Choice[]
  /** Documents that the flow defines. */
  readonly documents: readonly Choice[]
}

/** Choices of the flow's editors. */
export function useFlowSources(draft: Draft): FlowSources {
  const { api, can } = useApi()
  const { locale } = useText()
  const roles = useLoad(can(`entity:${roleEntity}:view`) ? 'roles' : null, (signal) =>
    api.entityData.page({
      params: { tag: roleEntity },
      body: { pageNum: 1, pageSize: 300 },
      signal,
    }),
  )
  const known = useMemo(
    () =>
      roles.data?.records.map((row): Choice => ({
        value: String(row['code'] ?? ''),
        text: String(row['name'] ?? row['code'] ?? ''),
      })) ?? none,
    [roles.data],
  )
  return useMemo(() => {
    const toChoices = (fields: Draft['fields']) =>
      fields
        .toSorted((a, b) => a.uiSort - b.uiSort)
        .map(({ attrName, uiLabel }): Choice => ({ value: attrName, text: uiLabel || attrName }))
    const relations = draft.fields.filter(
      ({ dictType, uiType }) => dictType === dictTypes.entity && !findKind(uiType).multiple,
    )
    return {
      roles: known,
      stateFields: toChoices([...listStateFields(draft)]),
      openFields: toChoices([...listOpenFields(draft, draft.options.flow?.field ?? '')]),
      relations: toChoices(relations),
      students: toChoices(
        relations.filter(({ dictValue }) => dictValue?.split('.')[0] === studentTag),
      ),
      documents: Object.entries(draft.options.flow?.documents ?? {}).map(
        ([value, { title }]): Choice => ({ value, text: chooseName(locale, title) }),
      ),
    }
  }, [draft, known, locale])
}

import type { EntityConfig } from '@jiaowu/api/entity/config'
import { findKind } from '@jiaowu/api/fields/kinds'
import type { EntityListView } from '@jiaowu/machines/entity-list/view'
import {
  shownConditions,
  shownLeaves,
} from '@jiaowu/machines/entity-list/conditions/shown-conditions'
import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router-dom'
import { useTabs } from '../../app/tab-context.ts'
import { useText } from '../../app/text-context.ts'

/** Conditions that a tab has room for. */
const maxShown = 2

/** Names the tab of a list by its conditions, so that two lists of one entity are told apart. */
export function useTabTitle(
  { applied, where, rows, hasConditions, loaded }: EntityListView,
  config: EntityConfig,
  search: string,
): void {
  const { locale } = useText()
  const { setTabTitle } = useTabs()
  const { pathname } = useLocation()
  const isNamed = useRef(false)
  const isName = (attrName: string) =>
    ['text', 'choice'].includes(
      findKind(config.fields.find((field) => field.attrName === attrName)?.uiType ?? 'input')
        .family,
    )
  const texts = [
    ...shownConditions(config, applied, rows, locale).map(({ attrName, label, text }) =>
      isName(attrName) ? text : `${label} ${text}`,
    ),
    ...(where === null ? [] : shownLeaves(config, where, rows, locale)).map(
      ({ label, text }) => `${label} ${text}`,
    ),
  ]
  const title =
    hasConditions && loaded && texts.length > 0
      ? `${config.name} · ${texts.slice(0, maxShown).join('、')}${texts.length > maxShown ? '…' : ''}`
      : null
  useEffect(() => {
    if (title === null && !isNamed.current) return
    isNamed.current = title !== null
    setTabTitle(`${pathname}${search}`, title ?? config.name)
  }, [setTabTitle, pathname, search, title, config.name])
}

import type { Locale } from '@jiaowu/api/locale'
import { limits } from '@jiaowu/api/limits'
import { problemText } from '@jiaowu/api/problem'
import { messageText, t } from '@jiaowu/api/texts/index'
import { shownEstimate } from '@jiaowu/api/entity/values'
import { figureText } from '@jiaowu/machines/entity-list/figures'
import {
  shownConditions,
  shownLeaves,
} from '@jiaowu/machines/entity-list/conditions/shown-conditions'
import type { EntityListView } from '@jiaowu/machines/entity-list/view'
import { Box } from 'ink'
import { Fault, Text } from '../ui.tsx'
import { sizeText } from '../../entities/import/size-text.ts'
import type { ListNotice } from './list-notices.ts'

interface Props {
  readonly view: EntityListView
  readonly locale: Locale
}

/** The name of the list, and the conditions under which its rows are shown. */
export function ListHead({ view, locale }: Props) {
  const { config, applied, where, rows } = view
  const conditions =
    config === null
      ? []
      : [
          ...shownConditions(config, applied, rows, locale),
          ...shownLeaves(config, where, rows, locale),
        ].map(({ label, text }) => `${label}: ${text}`)
  return (
    <Text bold wrap="truncate-end">
      {config?.name ?? ''} <Text dimColor>{config?.tag ?? ''}</Text>
      {conditions.length === 0 ? '' : `  ${conditions.join(' · ')}`}
    </Text>
  )
}

/** Why no rows are shown, or why those of before are. */
export function ListState({ view, locale }: Props) {
  const { step, problem, rows, blank, config, faults } = view
  if (step === 'opening') return <Text dimColor>{t(locale, 'common.loading')}</Text>
  if ((step === 'broken' || step === 'failed') && problem !== null) {
    const wrong = Object.values(faults)
    const reason = wrong.length > 0 ? wrong.join('; ') : problemText(locale, problem)
    return <Fault>{rows.length > 0 ? t(locale, 'list.stale', { reason }) : reason}</Fault>
  }
  if (blank !== null)
    return (
      <Text>
        {blank === 'noHit'
          ? t(locale, 'list.noHit')
          : t(locale, 'list.nothingYet', { name: config?.name ?? '' })}
      </Text>
    )
  return step === 'loading' || step === 'deleting' ? (
    <Text dimColor>{t(locale, 'common.loading')}</Text>
  ) : null
}

/** Figures over all rows, the number of rows and pages, and what is chosen. */
export function ListFoot({ view, locale, hidden }: Props & { readonly hidden: readonly string[] }) {
  const { total, totalIsEstimate, pageNum, pages, exporting, pressing, figures, config } = view
  const count =
    total !== null && totalIsEstimate
      ? t(locale, 'pager.about', { total: shownEstimate(total) })
      : t(locale, 'pager.total', { total: total ?? '—' })
  const facts = [
    count,
    `${String(pageNum)} / ${String(Math.max(1, pages))}`,
    describeChoice(view, locale),
    exporting === null ? '' : t(locale, 'list.exporting', { size: sizeText(exporting.bytes) }),
    pressing === null ? '' : t(locale, 'common.loading'),
    hidden.length === 0 ? '' : t(locale, 'cli.list.hidden', { names: hidden.join('、') }),
  ].filter((text) => text !== '')
  const sums = figures.flatMap((figure) => {
    const field = config?.fields.find(({ attrName }) => attrName === figure.column)
    if (field === undefined) return []
    const name = t(locale, `figure.${figure.fn}`)
    return [`${field.uiLabel} ${name} ${figureText(figure, field, locale)}`]
  })
  return (
    <Box flexDirection="column">
      {view.moreGroups ? (
        <Text dimColor wrap="truncate-end">
          {t(locale, 'group.more', { n: limits.maxGroups })}
        </Text>
      ) : null}
      {sums.length === 0 ? null : <Text wrap="truncate-end">{sums.join(' · ')}</Text>}
      <Text dimColor wrap="truncate-end">
        {facts.join('  ')}
      </Text>
    </Box>
  )
}

function describeChoice(view: EntityListView, locale: Locale): string {
  const { matching, chosen, elsewhere } = view
  if (matching !== null)
    return matching.length === 0
      ? t(locale, 'chosen.matching', { n: chosen })
      : t(locale, 'chosen.but', { n: chosen, except: matching.length })
  if (chosen === 0) return ''
  return elsewhere === 0
    ? t(locale, 'chosen.page', { n: chosen })
    : t(locale, 'chosen.pages', { n: chosen, elsewhere })
}

const colours = { info: 'cyan', success: 'green', warning: 'yellow', danger: 'red' } as const

export function Notices({
  notices,
  locale,
}: {
  readonly notices: readonly ListNotice[]
  readonly locale: Locale
}) {
  return notices.map(({ tone, text }, i) => (
    <Text key={String(i)} color={colours[tone]} wrap="truncate-end">
      {typeof text === 'string' ? text : messageText(locale, text)}
    </Text>
  ))
}

/** The question before a deletion, or that of a button; null: nothing is asked. */
export function askedQuestion(view: EntityListView, locale: Locale): string | null {
  const { step, question, config, pendingNames, pendingDeletion } = view
  if (step === 'confirmingDelete')
    return (
      t(locale, 'list.deleteThese', {
        names: pendingNames.join('、'),
        n: pendingDeletion,
        name: config?.name ?? '',
      }) + (config?.recycles === true ? t(locale, 'list.toRecycleBin') : '')
    )
  return question === null || typeof question === 'string'
    ? question
    : messageText(locale, question)
}

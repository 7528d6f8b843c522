import { entityPermission } from '@jiaowu/api/entity/permission'
import type { ListGroup } from '@jiaowu/api/entity/list/list-query'
import { schoolDay } from '@jiaowu/api/formats'
import { yuanText } from '@jiaowu/api/fields/money'
import { useApi } from '../../app/api-context.ts'
import { useText } from '../../app/text-context.ts'
import { useTimeOfMount } from '../../app/use-time-of-mount.ts'
import { paths } from '../../paths.ts'
import { useResource } from '../../ui/resource/use-resource.ts'
import { type Bar, BarChart } from './bar-chart.tsx'

const dayMs = 86_400_000
const shownDays = 30
const lowest = 60
const marks: readonly (readonly [number, number])[] = [
  [0, lowest - 0.1],
  [lowest, 69.9],
  [70, 79.9],
  [80, 89.9],
  [90, 100],
]

/** The distribution of all marks; each bar opens the list of them. */
export function MarksChart() {
  const { api, can } = useApi()
  const { t, locale } = useText()
  const tag = 'EDU_GRADE'
  const allowed = can(entityPermission(tag, 'view'))
  const { data } = useResource({
    query: allowed ? tag : null,
    load: (asked: string, signal) =>
      api.entityData.page({
        params: { tag: asked },
        body: { pageSize: 1, pageNum: 1, withTotal: false, group: { column: 'score' } },
        signal,
      }),
  })
  if (!allowed || data === null) return null
  const bars = marks.map(([from, to]): Bar => {
    const value = sumGroups(data.groups ?? [], from, to)
    const label = from === 0 ? t('home.below', { n: lowest }) : `${from}–${Math.floor(to)}`
    return { label, value, to: `${paths.list(tag)}?score=${from}..${to}`, isLow: from < lowest }
  })
  return (
    <section className="jw-card">
      <h3>{t('home.marks')}</h3>
      <BarChart title={t('home.marks')} bars={bars} format={(n) => n.toLocaleString(locale)} />
    </section>
  )
}

function sumGroups(groups: readonly ListGroup[], from: number, to: number): number {
  return groups.reduce((sum, { value, count }) => {
    const mark = value === null ? Number.NaN : Number(value)
    return mark >= from && mark < to + 0.1 ? sum + count : sum
  }, 0)
}

/** Printed documents of the last thirty days, and what was paid for them. */
export function DocumentsChart() {
  const { api, can } = useApi()
  const { t, locale } = useText()
  const now = useTimeOfMount()
  const tag = 'RPT_ORDER'
  const allowed = can(entityPermission(tag, 'view'))
  const { data } = useResource({
    query: allowed ? tag : null,
    load: async (asked: string, signal) => {
      const recent = { column: 'createTime', op: 'during', value: 'last30' } as const
      const settled = { column: 'state', op: 'in', value: ['PAID', 'FREE'] } as const
      const page = await api.entityData.page({
        params: { tag: asked },
        body: {
          pageSize: 1,
          pageNum: 1,
          withTotal: false,
          where: { and: [recent, settled] },
          group: { column: 'createTime', by: 'day' },
          footer: [{ column: 'amountFen', fn: 'sum' }],
        },
        signal,
      })
      return { groups: page.groups ?? [], income: Number(page.footer?.[0]?.value ?? 0) }
    },
  })
  if (!allowed || data === null) return null
  const counts = new Map(data.groups.map(({ value, count }) => [String(value), count]))
  const bars = Array.from({ length: shownDays }, (_none, index): Bar => {
    const day = schoolDay(new Date(now - (shownDays - 1 - index) * dayMs))
    return {
      label: day.slice(5),
      value: counts.get(day) ?? 0,
      to: `${paths.list(tag)}?createTime=${day}..${day}`,
    }
  })
  const total = bars.reduce((sum, { value }) => sum + value, 0)
  return (
    <section className="jw-card">
      <h3>{t('home.documents')}</h3>
      <p className="jw-muted">
        {t('home.documentsSum', {
          n: total.toLocaleString(locale),
          yuan: yuanText(data.income),
        })}
      </p>
      <BarChart
        title={t('home.documents')}
        bars={bars}
        labelEvery={7}
        format={(n) => n.toLocaleString(locale)}
      />
    </section>
  )
}

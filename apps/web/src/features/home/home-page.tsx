import { entityPermission } from '@jiaowu/api/entity/permission'
import type { Locale } from '@jiaowu/api/locale'
import type { MenuNode } from '@jiaowu/api/contract/session'
import type { Page } from '@jiaowu/api/entity/list/page'
import { relativeTime, schoolInstant, shortNumber } from '@jiaowu/api/formats'
import { schoolTimeZone } from '@jiaowu/api/zoned-time'
import { Link } from 'react-router-dom'
import { useApi } from '../../app/api-context.ts'
import { useText } from '../../app/text-context.ts'
import { MenuIcon } from '../../shell/navigation/menu-icons.tsx'
import { useResource } from '../../ui/resource/use-resource.ts'
import { DocumentsChart, MarksChart } from './home-charts.tsx'
import { HomeRecent } from './home-recent.tsx'
import { HomeTodos } from './home-todos.tsx'
import { useTimeOfMount } from '../../app/use-time-of-mount.ts'

const counted = ['EDU_STUDENT', 'EDU_TEACHER', 'EDU_COURSE', 'EDU_GRADE'] as const

export function HomePage({ menu }: { readonly menu: readonly MenuNode[] }) {
  const { t, locale } = useText()
  const { user } = useApi()
  const all = leaves(menu)
  const date = new Intl.DateTimeFormat(locale, {
    dateStyle: 'full',
    timeZone: schoolTimeZone,
  }).format(useTimeOfMount())
  return (
    <div className="jw-home">
      <header className="jw-home__head">
        <h2>{t('shell.welcome', { name: user?.name ?? '' })}</h2>
        <p className="jw-muted">{t('shell.today', { date })}</p>
      </header>
      <div className="jw-home__counts">
        {all
          .filter(({ tag }) => counted.some((each) => each === tag))
          .map((node) => (
            <Count key={node.id} node={node} />
          ))}
      </div>
      <div className="jw-home__grid">
        <HomeTodos />
        <HomeRecent />
        <MarksChart />
        <DocumentsChart />
        <Notices />
      </div>
    </div>
  )
}

function leaves(nodes: readonly MenuNode[]): MenuNode[] {
  return nodes.flatMap((node) => (node.children.length > 0 ? leaves(node.children) : [node]))
}

function Count({ node }: { readonly node: MenuNode }) {
  const { locale } = useText()
  const total = useTotal(node.tag)
  return (
    <Link to={node.path} className="jw-count">
      <span className="jw-count__icon">
        <MenuIcon name={node.icon} size={20} />
      </span>
      <span>
        <span
          className="jw-count__number"
          {...(total === null ? {} : { title: total.rows.toLocaleString(locale) })}
        >
          {total === null ? '—' : shownTotal(total, locale)}
        </span>
        <span className="jw-count__label">{node.name}</span>
      </span>
    </Link>
  )
}

/** In full where it was counted, short where it is an estimate. */
function shownTotal({ rows, isEstimate }: Total, locale: Locale): string {
  return isEstimate ? `≈${shortNumber(rows)}` : rows.toLocaleString(locale)
}

interface Total {
  readonly rows: number
  readonly isEstimate: boolean
}

/** The number of rows, exact as soon as it is counted; null while it loads. */
function useTotal(tag: string | null): Total | null {
  const { api } = useApi()
  const page = usePage(tag, 1)
  const exact = useResource({
    query: page?.totalIsEstimate === true ? tag : null,
    load: (asked: string, signal) =>
      api.entityData.count({
        params: { tag: asked },
        body: { pageSize: 1, pageNum: 1, queries: {} },
        signal,
      }),
  }).data
  if (exact !== null) return { rows: exact.total, isEstimate: false }
  return page === null || page.total === null
    ? null
    : { rows: page.total, isEstimate: page.totalIsEstimate ?? false }
}

/**
 * One page of an entity; null while it loads, when it fails (the home page shows no errors), and
 * without a tag.
 */
function usePage(
  tag: string | null,
  pageSize: number,
  queries: Readonly<Record<string, unknown>> = {},
): Page | null {
  const { api } = useApi()
  return useResource({
    query: tag,
    load: (asked: string, signal) =>
      api.entityData.page({
        params: { tag: asked },
        body: { pageSize, pageNum: 1, queries },
        signal,
      }),
  }).data
}

function Notices() {
  const { t, locale } = useText()
  const { can } = useApi()
  const allowed = can(entityPermission('SYS_NOTICE', 'view'))
  const page = usePage(allowed ? 'SYS_NOTICE' : null, 6, { noticeStatus: '0' })
  if (!allowed) return null
  return (
    <section className="jw-card">
      <h3>{t('shell.notices')}</h3>
      <ul className="jw-notices">
        {(page?.records ?? []).map((row) => (
          <li key={row.id}>
            <Link
              to={`/entity/SYS_NOTICE/details?id=${row.id}&_title=${encodeURIComponent(t('common.view'))}`}
            >
              {String(row.noticeTitle ?? '')}
            </Link>
            <time title={String(row.issueTime ?? '')}>{since(locale, row.issueTime)}</time>
          </li>
        ))}
      </ul>
      {page !== null && page.records.length === 0 ? (
        <p className="jw-muted">{t('common.empty')}</p>
      ) : null}
    </section>
  )
}

function since(locale: Locale, at: unknown): string {
  return typeof at === 'string' && at !== ''
    ? relativeTime(locale, schoolInstant(at), Date.now())
    : ''
}

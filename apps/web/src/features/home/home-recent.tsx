import { Link } from 'react-router-dom'
import { useApi } from '../../app/api-context.ts'
import { listRecentRecords } from '../../app/recent-records.ts'
import { useText } from '../../app/text-context.ts'
import { paths } from '../../paths.ts'
import { useResource } from '../../ui/resource/use-resource.ts'

/** The records that the user opened last on this device. */
export function HomeRecent() {
  const { api, user } = useApi()
  const { t } = useText()
  const recent = listRecentRecords(user)
  const { data } = useResource({
    query: recent.length === 0 ? null : recent,
    load: (records, signal) => api.search.titles({ body: { records: [...records] }, signal }),
  })
  return (
    <section className="jw-card">
      <h3>{t('shell.palette.recent')}</h3>
      {recent.length === 0 ? <p className="jw-muted">{t('home.noRecent')}</p> : null}
      <ul className="jw-notices">
        {(data?.records ?? []).map(({ tag, id, title, entity }) => (
          <li key={`${tag}/${id}`}>
            <Link to={paths.details(tag, { id })}>{title}</Link>
            <time>{entity}</time>
          </li>
        ))}
      </ul>
    </section>
  )
}

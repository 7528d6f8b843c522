import { useApi } from '../../../app/api-context.ts'
import { useText } from '../../../app/text-context.ts'
import { ResourceBody } from '../../../ui/resource/resource-body.tsx'
import { useResource } from '../../../ui/resource/use-resource.ts'
import './application.css'

/** Lists the kinds of application that are open to the student, and own applications. */
export function ApplicationList() {
  const { t, locale } = useText()
  const { api } = useApi()
  const page = useResource({
    query: { locale },
    load: async (_query, signal) => {
      const [kinds, list] = await Promise.all([
        api.application.kinds({ signal }),
        api.application.list({ signal }),
      ])
      return { kinds, list }
    },
  })
  const side = locale === 'en' ? 'en' : 'zh'
  return (
    <ResourceBody of={page}>
      {({ kinds, list }) => (
        <>
          <section className="jw-sheet jw-apply" aria-labelledby="application-kinds">
            <h2 id="application-kinds">{t('studentPage.applicationKinds')}</h2>
            {kinds.length === 0 ? <p role="status">{t('studentPage.noApplicationKinds')}</p> : null}
            <ul>
              {kinds.map(({ tag, title, help }) => (
                <li key={tag}>
                  <a href={`#/application/${tag}`}>
                    {t('studentPage.applyFor', { name: title[side] })}
                  </a>
                  {help === null ? null : <p>{help[side]}</p>}
                </li>
              ))}
            </ul>
          </section>
          <section
            className="jw-sheet jw-apply"
            aria-labelledby="application-own"
            aria-busy={page.isLoading}
          >
            <h2 id="application-own">{t('studentPage.applications')}</h2>
            {list.length === 0 ? <p role="status">{t('studentPage.noApplications')}</p> : null}
            <ul>
              {list.map(({ tag, id, kind, title, stateName, tone, since }) => (
                <li key={`${tag} ${id}`}>
                  <a href={`#/application/${tag}/${encodeURIComponent(id)}`}>
                    {kind[side]} · {title}
                  </a>
                  <p className="jw-apply__state">
                    <span className={`jw-tone__dot is-${tone ?? 'blue'}`} aria-hidden />
                    <strong>{stateName}</strong>
                    <time>{t('studentPage.applicationSince', { at: since.slice(0, 16) })}</time>
                  </p>
                </li>
              ))}
            </ul>
          </section>
        </>
      )}
    </ResourceBody>
  )
}

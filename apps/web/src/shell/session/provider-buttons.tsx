import { AnchorButton } from '@blueprintjs/core'
import type { SsoProviderInfo } from '@jiaowu/api/contract/sso'
import { useLocation } from 'react-router-dom'
import { paths, safeRedirect } from '../../paths.ts'
import { startAddress } from '../../ports/sso.ts'
import { useResource } from '../../ui/resource/use-resource.ts'
import { useApi } from '../../app/api-context.ts'
import { useText } from '../../app/text-context.ts'

interface Props {
  readonly audience: SsoProviderInfo['for']
  /** Null or empty: the first school. */
  readonly tenant: string | null
}

function useProviders(tenant: string | null): readonly SsoProviderInfo[] {
  const { api } = useApi()
  const { data } = useResource({
    query: tenant ?? '',
    load: (school, signal) =>
      api.sso.providers({ query: school === '' ? {} : { tenant: school }, signal }),
  })
  return data ?? []
}

function useProviderName() {
  const { locale } = useText()
  return ({ name, nameEn }: SsoProviderInfo) => (locale === 'en' ? nameEn : name)
}

/** Sign-in at the identity providers of a school, below the form of the page. */
export function ProviderButtons({ audience, tenant }: Props) {
  const { t } = useText()
  const { search } = useLocation()
  const nameOf = useProviderName()
  const providers = useProviders(tenant).filter((provider) => provider.for === audience)
  if (providers.length === 0) return null
  return (
    <div className="jw-sso__choices">
      <p aria-hidden="true">{t('sso.or')}</p>
      {providers.map((provider) => (
        <div key={provider.id}>
          <AnchorButton
            fill
            size="large"
            variant="outlined"
            href={buildProviderAddress(provider, search)}
            text={t('sso.signInBy', { name: nameOf(provider) })}
          />
          {provider.up ? null : (
            <p className="jw-sso__down" role="status">
              {t('sso.downNamed', { name: nameOf(provider) })}
            </p>
          )}
        </div>
      ))}
    </div>
  )
}

/** Where a provider asks who the person is: its own page, or the form of this page for a directory. */
function buildProviderAddress({ id, kind, for: audience }: SsoProviderInfo, search: string) {
  const query = new URLSearchParams(search)
  if (kind !== 'ldap') return startAddress(id, safeRedirect(query.get('redirect')))
  query.set('as', audience === 'staff' ? 'staff' : 'student')
  query.set('provider', id)
  return `#${paths.login()}?${query.toString()}`
}

/** Above the form, whose account and password it asks for; and the way back to the others. */
export function DirectoryHint({
  provider,
  tenant,
}: { readonly provider: string } & Pick<Props, 'tenant'>) {
  const { t } = useText()
  const { search } = useLocation()
  const nameOf = useProviderName()
  const chosen = useProviders(tenant).find(({ id }) => id === provider)
  const query = new URLSearchParams(search)
  query.delete('provider')
  const back = `#${paths.login()}?${query.toString()}`
  return (
    <div className="jw-sso__directory">
      {chosen === undefined ? null : <p>{t('sso.withAccountOf', { name: nameOf(chosen) })}</p>}
      {chosen?.up === false ? (
        <p className="jw-sso__down" role="status">
          {t('sso.downNamed', { name: nameOf(chosen) })}
        </p>
      ) : null}
      <a href={back}>{t('sso.otherWay')}</a>
    </div>
  )
}

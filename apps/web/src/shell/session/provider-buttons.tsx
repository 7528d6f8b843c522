import { AnchorButton } from '@blueprintjs/core'
import type { SsoProviderInfo } from '@jiaowu/api/contract/sso'
import { useLocation } from 'react-router-dom'
import { safeRedirect } from '../../paths.ts'
import { startAddress } from '../../ports/sso.ts'
import { useResource } from '../../ui/resource/use-resource.ts'
import { useApp } from '../../app/app-context.tsx'

/** Sign-in at the identity providers of a school, below the form of the page. */
export function ProviderButtons({
  audience,
  tenant,
}: {
  readonly audience: SsoProviderInfo['for']
  /** Null or empty: the first school. */
  readonly tenant: string | null
}) {
  const { api, t, locale } = useApp()
  const { search } = useLocation()
  const redirect = safeRedirect(new URLSearchParams(search).get('redirect'))
  const { data } = useResource({
    query: tenant ?? '',
    load: (school, signal) =>
      api.sso.providers({ query: school === '' ? {} : { tenant: school }, signal }),
  })
  const providers = (data ?? []).filter((provider) => provider.for === audience)
  if (providers.length === 0) return null
  const nameOf = ({ name, nameEn }: SsoProviderInfo) => (locale === 'en' ? nameEn : name)
  return (
    <div className="jw-sso__choices">
      <p aria-hidden="true">{t('sso.or')}</p>
      {providers.map((provider) => (
        <div key={provider.id}>
          <AnchorButton
            fill
            size="large"
            variant="outlined"
            href={startAddress(provider.id, redirect)}
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

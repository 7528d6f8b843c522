import { generateKeyPair, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import forge from 'node-forge'
import { createAtomically } from '../../platform/files/write-atomically.ts'
import { type Settings, SettingsError } from '../../platform/settings/settings.ts'

/**
 * Key and certificates for signing. PEM; the first certificate is the key's own, the rest lead to
 * its issuer.
 */
export interface SigningIdentity {
  readonly key: string
  readonly certificates: readonly string[]
}

const validYears = 10
const keyBits = 3072
const newKeyPair = promisify(generateKeyPair)

/** Reads key and chain of a PKCS#12 file, the key's certificate first. @throws SettingsError */
export function readPkcs12(path: string, password: string): SigningIdentity {
  const refuse = (why: string) => new SettingsError(`SIGN_P12 ${path} ${why}.`)
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch {
    throw refuse('cannot be read')
  }
  try {
    const store = forge.pkcs12.pkcs12FromAsn1(
      forge.asn1.fromDer(bytes.toString('binary')),
      password,
    )
    const bags = (type: string) => store.getBags({ bagType: type })[type] ?? []
    const key = [
      ...bags(forge.pki.oids.pkcs8ShroudedKeyBag ?? ''),
      ...bags(forge.pki.oids.keyBag ?? ''),
    ].find((bag) => bag.key !== undefined)?.key as forge.pki.rsa.PrivateKey | undefined
    const certificates = bags(forge.pki.oids.certBag ?? '').flatMap(({ cert }) =>
      cert === undefined ? [] : [cert],
    )
    const own = certificates.find(({ publicKey }) =>
      (publicKey as forge.pki.rsa.PublicKey).n.equals(key?.n as never),
    )
    if (key === undefined || own === undefined) throw new Error('incomplete')
    return {
      key: forge.pki.privateKeyToPem(key),
      certificates: [own, ...certificates.filter((one) => one !== own)].map((one) =>
        forge.pki.certificateToPem(one),
      ),
    }
  } catch {
    throw refuse(
      'must be a PKCS#12 file with an RSA key and its certificate, opened by SIGN_P12_PASSWORD',
    )
  }
}

/**
 * The signing identity of a tenant: the file of the settings, or a self-signed one generated here.
 */
export function signingIdentity(
  settings: Settings,
  tenant: string,
  school: string,
  name: string,
): Promise<SigningIdentity> {
  return settings.signP12 === undefined
    ? ownIdentity(settings, tenant, school, name)
    : Promise.resolve(readPkcs12(settings.signP12.path, settings.signP12.password))
}

/**
 * The generated identity below DATA_DIR, created at first use. Two servers that create it at once
 * end with the same one.
 */
async function ownIdentity(
  { dataDir }: Settings,
  tenant: string,
  school: string,
  name: string,
): Promise<SigningIdentity> {
  const [folder, file] = [join(dataDir, 'signing'), `${tenant}.pem`]
  const path = join(folder, file)
  const found = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (found !== null) return pemBlocks(found)
  const { key, certificates } = await selfSigned(school, name, new Date())
  await createAtomically(folder, file, Buffer.from([key, ...certificates].join('')))
  return pemBlocks(await readFile(path, 'utf8'))
}

function pemBlocks(text: string): SigningIdentity {
  const blocks = text.match(/-----BEGIN ([A-Z ]+)-----[\s\S]+?-----END \1-----/g) ?? []
  const [key = '', ...certificates] = blocks
  return { key, certificates }
}

async function selfSigned(school: string, name: string, now: Date): Promise<SigningIdentity> {
  const { privateKey, publicKey } = await newKeyPair('rsa', {
    modulusLength: keyBits,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  })
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey)
  certificate.serialNumber = `4a${randomBytes(15).toString('hex')}` // positive, without leading zeros
  certificate.validity.notBefore = new Date(now.getTime() - 86_400_000)
  certificate.validity.notAfter = new Date(now)
  certificate.validity.notAfter.setFullYear(now.getFullYear() + validYears)
  const text = (value: string) => ({
    value,
    valueTagClass: forge.asn1.Type.UTF8 as unknown as forge.asn1.Class,
  })
  const subject = [
    { name: 'countryName', value: 'CN' },
    { name: 'organizationName', ...text(school) },
    { name: 'commonName', ...text(name) },
  ]
  certificate.setSubject(subject)
  certificate.setIssuer(subject)
  certificate.setExtensions([
    { name: 'basicConstraints', cA: false, critical: true },
    { name: 'keyUsage', digitalSignature: true, nonRepudiation: true, critical: true },
    { name: 'subjectKeyIdentifier' },
  ])
  certificate.sign(forge.pki.privateKeyFromPem(privateKey), forge.md.sha256.create())
  return { key: privateKey, certificates: [forge.pki.certificateToPem(certificate)] }
}

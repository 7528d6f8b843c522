import { X509Certificate } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import forge from 'node-forge'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSettings, SettingsError } from '../../platform/settings/settings.ts'
import { readPkcs12, signingIdentity } from './identity.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jiaowu-sign-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function loadTestIdentity(tenant: string) {
  return signingIdentity(
    readSettings({ DATA_DIR: folder }),
    tenant,
    '示范大学',
    '示范大学电子成绩与证明',
  )
}

describe('the signing identity', () => {
  it('is made once, however many ask at the same time, and kept from others', async () => {
    const [first, ...others] = await Promise.all([
      loadTestIdentity('1'),
      loadTestIdentity('1'),
      loadTestIdentity('1'),
    ])
    for (const other of [...others, await loadTestIdentity('1')]) expect(other).toEqual(first)
    expect(await readdir(join(folder, 'signing'))).toEqual(['1.pem'])
    expect((await stat(join(folder, 'signing', '1.pem'))).mode & 0o777).toBe(0o600)
    const certificate = new X509Certificate(first?.certificates[0] ?? '')
    expect(certificate.subject).toBe('C=CN\nO=示范大学\nCN=示范大学电子成绩与证明')
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect(Date.parse(certificate.validTo) - Date.now()).toBeGreaterThan(9 * 365 * 86_400_000)
    expect((await loadTestIdentity('2')).key).not.toBe(first?.key)
  }, 30_000)

  it('can be a PKCS#12 file; an unusable one is reported in a sentence', async () => {
    const { key, certificates } = await loadTestIdentity('1')
    const path = join(folder, 'school.p12')
    const store = forge.pkcs12.toPkcs12Asn1(
      forge.pki.privateKeyFromPem(key),
      [forge.pki.certificateFromPem(certificates[0] ?? '')],
      '密码 1',
      { algorithm: '3des' },
    )
    await writeFile(path, Buffer.from(forge.asn1.toDer(store).getBytes(), 'binary'))
    const read = readPkcs12(path, '密码 1')
    expect(new X509Certificate(read.certificates[0] ?? '').fingerprint256).toBe(
      new X509Certificate(certificates[0] ?? '').fingerprint256,
    )
    expect(
      await signingIdentity(
        readSettings({ DATA_DIR: folder, SIGN_P12: path, SIGN_P12_PASSWORD: '密码 1' }),
        '9',
        'x',
        'x',
      ),
    ).toEqual(read)
    expect(() => readPkcs12(path, 'wrong')).toThrow(SettingsError)
    expect(() => readPkcs12(join(folder, 'none.p12'), '')).toThrow('cannot be read')
    await writeFile(join(folder, 'bad.p12'), 'not a key')
    expect(() => readPkcs12(join(folder, 'bad.p12'), '')).toThrow('must be a PKCS#12 file')
  })
})

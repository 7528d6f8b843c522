import { expect, test } from 'vitest'
import { piiKinds } from './entity/enums.ts'
import { looksMasked, maskPii, maskValue, proposedPii, scrubPersonal } from './pii.ts'

test.each([
  ['idCard', '110105194912310021', '1****************1'],
  ['idCard', '11010519491231002X', '1****************X'],
  ['idCard', '110105491231002', '1*************2'],
  ['idCard', 'E12345678', 'E1*******'],
  ['mobile', '13812341234', '138****1234'],
  ['email', 'zhang.san@example.edu.cn', 'z********@example.edu.cn'],
  ['email', 'a@example.cn', '*@example.cn'],
  ['name', '欧阳小明', '欧***'],
  ['name', '王', '*'],
  ['address', '北京市海淀区中关村大街1号', '北京市海淀区*******'],
  ['bank', '6222020200112233445', '***************3445'],
] as const)('masks %s %s', (kind, value, mask) => {
  expect(maskPii(kind, value)).toBe(mask)
  expect(looksMasked(mask)).toBe(true)
})

test('a value with nothing to leave out is hidden whole', () => {
  expect(maskPii('idCard', 'E1')).toBe('**')
  expect(maskPii('mobile', '1234567')).toBe('*******')
  expect(maskPii('address', '北京市')).toBe('***')
  expect(maskPii('email', 'no address')).toBe('**********')
})

test('a mask has the length of its value, and masking it again changes nothing', () => {
  for (const kind of piiKinds)
    for (const value of [
      '13812341234',
      'zhang@x.cn',
      '张三丰',
      '110105194912310021',
      'E12345678',
    ]) {
      const mask = maskPii(kind, value)
      expect([...mask]).toHaveLength([...value].length)
      expect(maskPii(kind, mask)).toBe(mask)
    }
})

test('masks numbers and the ids and names of choices', () => {
  expect(maskValue('mobile', 13_812_341_234)).toBe('138****1234')
  expect(maskValue('mobile', null)).toBeNull()
  expect(maskValue('mobile', [{ id: '13812341234', name: '13812341234' }])).toEqual([
    { id: '138****1234', name: '138****1234' },
  ])
})

test.each([
  [{ columnName: 'id_card', uiLabel: 'id_card' }, 'idCard'],
  [{ columnName: 'sfzh', uiLabel: 'sfzh' }, 'idCard'],
  [{ columnName: 'zjhm', uiLabel: '证件号码' }, 'idCard'],
  [{ columnName: 'sjhm', uiLabel: 'sjhm' }, 'mobile'],
  [{ columnName: 'parent_tel', uiLabel: '家长电话' }, 'mobile'],
  [{ columnName: 'x1', uiLabel: 'Mobile phone' }, 'mobile'],
  [{ columnName: 'dzyx', uiLabel: 'dzyx' }, 'email'],
  [{ columnName: 'contact_email_address', uiLabel: 'x' }, 'email'],
  [{ columnName: 'xm', uiLabel: 'xm' }, 'name'],
  [{ columnName: 'x2', uiLabel: '家长姓名' }, 'name'],
  [{ columnName: 'jtzz', uiLabel: '家庭住址' }, 'address'],
  [{ columnName: 'yhkh', uiLabel: '银行卡号' }, 'bank'],
  [{ columnName: 'x3', uiLabel: 'x', valids: { type: 'Idcard' } }, 'idCard'],
  [{ columnName: 'ip_address', uiLabel: 'ip_address' }, null],
  [{ columnName: 'url', uiLabel: '网址' }, null],
  [{ columnName: 'path', uiLabel: '路由地址' }, null],
  [{ columnName: 'avatar', uiLabel: '头像地址' }, null],
  [{ columnName: 'www_address', uiLabel: 'Www address' }, null],
  [{ columnName: 'home', uiLabel: '家庭地址' }, 'address'],
  [{ columnName: 'name', uiLabel: 'Telephone number type' }, null],
  [{ columnName: 'course_name', uiLabel: '课程名称' }, null],
  [{ columnName: 'hotel', uiLabel: 'hotel' }, null],
  [{ columnName: 'telephone_count', uiLabel: '电话数', uiType: 'inputNumber' }, null],
] as const)('proposes a kind for %o', (field, kind) => {
  expect(proposedPii({ attrName: 'x', ...field })).toBe(kind)
})

test('scrubs numbers inside a text, but no record ids', () => {
  expect(scrubPersonal('请核对 110105194912310021，电话13812341234。')).toBe(
    '请核对 1****************1，电话138****1234。',
  )
  expect(scrubPersonal('id 110105194913320022 and 615239482093482093')).toBe(
    'id 110105194913320022 and 615239482093482093',
  )
})

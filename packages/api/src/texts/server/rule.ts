import { group } from '../group.ts'

// docs/spec/1-entity-console.md §5
export const ruleTexts = group({
  'rule.noTargetIn': [
    '「{entity}」中没有 {value}，请重新选择',
    '“{entity}” has no {value}, choose again',
  ],
  'rule.uniqueValue': ['已有其他记录使用「{value}」', 'Another record already has “{value}”'],
  'rule.uniqueValues': [
    '「{value}」这一组合已被其他记录使用',
    'Another record already has the combination “{value}”',
  ],
  'rule.checkValue': [
    '「{value}」不符合数据库的约束 {name}',
    '“{value}” does not meet the constraint {name} of the database',
  ],
  'rule.held': [
    '表 {table} 中的记录正在引用原来的值，不能修改',
    'Records of the table {table} refer to the present value, so it cannot be changed',
  ],
  'rule.noTarget': [
    '所引用的记录不存在，请重新选择',
    'The record it refers to does not exist, choose again',
  ],
  'rule.check': [
    '不符合数据库的约束 {name}',
    'Does not meet the constraint {name} of the database',
  ],
  'rule.typeText': ['不是 {type} 类型的值', 'Not a value of the type {type}'],
  'rule.notTaken': [
    '数据库的触发器或计算列读不懂这个值，请换一种写法',
    'A trigger or computed column of the table cannot read this value; write it differently',
  ],
  'rule.computedLength': [
    '由表中的触发器或计算列写入的文字超过 {n} 个字符，请缩短所填的内容',
    'A trigger or computed column of the table makes a text of more than {n} characters of this; enter a shorter one',
  ],
  'rule.computedRange': [
    '由表中的触发器或计算列得出的数超出该列的范围，请填写较小的数',
    'A trigger or computed column of the table gets a number outside the range of this column; enter smaller numbers',
  ],
  'rule.computedDigits': [
    '由表中的触发器或计算列得出的数在小数点前超过 {n} 位，请填写较小的数',
    'A trigger or computed column of the table gets a number of more than {n} digits before the point; enter smaller numbers',
  ],
  'rule.derived': [
    '由公式算出的值超出了该列的范围，请检查所依据的值',
    'The computed value does not fit its column; check the values it follows from',
  ],
  'rule.derivedEmpty': [
    '由公式算不出值，而该列不能为空，请补全所依据的值',
    'The formula gives no value and the column may not be empty; fill in what it follows from',
  ],
  'rule.required': ['此项为必填项', 'This input is required'],
  'entity.noChoice': ['「{label}」没有选项“{value}”', '{label} has no choice “{value}”'],
  'entity.noChoiceOf': [
    '「{label}」没有选项“{value}”，可选：{choices}',
    '{label} has no choice “{value}”; there are: {choices}',
  ],
  'entity.noChoiceBut': [
    '「{label}」没有选项“{value}”，可选：{choices}。是否为「{meant}」？',
    '{label} has no choice “{value}”; there are: {choices}. Did you mean {meant}?',
  ],
  'rule.oneLine': ['此项只能是一行，不能有换行', 'This field takes one line, without line breaks'],
  'rule.zonedTime': [
    '时间按学校当地的时区，请去掉末尾的时区（Z、+08:00），如 2026-11-28 09:00:00',
    'Times are those of the school: leave the zone (Z, +08:00) out, such as 2026-11-28 09:00:00',
  ],
  'rule.skippedTime': [
    '当天的时钟拨快，跳过了这一时刻，请填写实际存在的时间',
    'The clocks were set forward over this time on that day; enter a time that they showed',
  ],
  'rule.separator': [
    '「{id}」含有逗号，而此列用逗号分隔多个选项：请先为该选项换一个不含逗号的代码',
    '“{id}” contains a comma, which separates the choices in this column; give that choice a code without one first',
  ],
  'rule.minLength': [
    '长度不足：至少 {n} 个字符，汉字算两个',
    'Too short: at least {n} characters, Chinese ones count as two',
  ],
  'range.between': ['{min} 至 {max}', '{min} to {max}'],
  'range.from': ['{min} 及以上', '{min} or more'],
  'range.upTo': ['{max} 及以下', '{max} or less'],
  'range.step': ['每档 {step}', 'in steps of {step}'],
  'range.both': ['{ends}，{steps}', '{ends}, {steps}'],
  'rule.min': ['不能小于 {bound}', 'Must be at least {bound}'],
  'rule.max': ['不能大于 {bound}', 'Must be at most {bound}'],
  'rule.step': ['须按 {bound} 递进', 'Must be in steps of {bound}'],
  'rule.maxLength': ['超出最大长度限制', 'Exceeds maximum length limit'],
  'rule.email': ['请输入正确的邮箱地址', 'Enter a correct e-mail address'],
  'rule.number': ['请输入正确的数字', 'Enter a correct number'],
  'rule.amount': ['请输入金额，如 1,200.50', 'Enter an amount such as 1,200.50'],
  'rule.amountDecimals': ['金额最多两位小数', 'An amount has at most two decimals'],
  'rule.amountRange': [
    '金额超出范围，最大 9,999,999,999,999.99',
    'The amount is out of range; the largest is 9,999,999,999,999.99',
  ],
  'rule.lostDigits': [
    '表格软件已把长数字改成科学计数（如 1.1E+17），末尾数字已丢失；请将该列设为文本格式后重新填写',
    'The spreadsheet turned a long number into scientific notation and dropped its last digits; format the column as text and fill it in again',
  ],
  'rule.flag': ['请填“是”或“否”', 'Enter yes or no'],
  'rule.positiveNumber': ['请输入正确的正数', 'Enter a correct positive number'],
  'rule.address': [
    '须为 http、https 地址或以 / 开头的本站路径',
    'Must be an http or https address, or a path of this site',
  ],
  'rule.http': ['请输入正确的网址', 'Enter a correct URL'],
  'rule.mobile': ['请输入正确的手机号', 'Enter a correct mobile number'],
  'rule.masked': [
    '这是遮盖后的值，不能保存；请输入完整的值，或保持原样',
    'This is a masked value and cannot be saved; enter the whole value, or leave it as it is',
  ],
  'rule.idCard': ['请输入正确的身份证号', 'Enter a correct ID number'],
  'rule.digits': ['请输入正确的正整数', 'Enter a correct positive integer'],
  'rule.formType': ['表单类型传入错误', 'Form type passed incorrectly'],
  'rule.precision': [
    '数字的位数超出该列的精度，保存后会变成另一个数，请减少位数',
    'The column cannot keep this many digits and would store another number; enter fewer digits',
  ],
  'rule.value': ['值的格式不正确', 'The value has a wrong format'],
  'rule.date': [
    '无法识别的日期或时间，例如 2024-09-01、2024年9月1日、08:30',
    'Not a date or time, for example 2024-09-01, 20240901 or 08:30',
  ],
  'rule.dateOrder': [
    '分不清哪个是月、哪个是日，请写成年-月-日，例如 2024-09-01',
    'Month and day cannot be told apart; write year-month-day, for example 2024-09-01',
  ],
  'rule.oneOf': ['可填：{choices}', 'Must be one of {choices}'],
  'rule.choice': ['所选项不存在', 'The chosen item does not exist'],
  'rule.unique': ['该值已存在', 'This value already exists'],
  'rule.sequenceBehind': [
    '数据库为 {column} 生成的值已被占用：序列落后于表中的数据。请维护这张表的人执行：{statement}',
    'The database made a value of {column} that exists: its sequence is behind the rows of the table. Ask whoever maintains it to run: {statement}',
  ],
  'rule.unknownField': ['未知字段', 'Unknown field'],
  'rule.notWritable': ['该字段不可修改', 'This field cannot be changed'],
  'rule.formId': [
    '这个表单是一天以前打开的，编号已失效；请重新打开表单再保存',
    'The form was opened more than a day ago and its number is no longer valid; open it again and save',
  ],
  'rule.range': ['范围不正确：起始不能大于结束', 'Wrong range: the start is after the end'],
  'rule.versionRequired': ['缺少版本号', 'The version is missing'],
})

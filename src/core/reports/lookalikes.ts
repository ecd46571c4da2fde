/**
 * Letters and symbols that look like a Latin letter in most fonts, in lower case and decomposed: small capitals, letters with strokes, and
 * those of other alphabets that Unicode calls confusable with one (UTS 39; `l` and `1` count as `i`, as digits count as letters).
 */
export const lookalikes: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ['a', 'аαɑ@4ᴀᔯꮞ𑣏ᔰꭺᗅꓮ𖽀𐊠'],
    ['b', 'вьƅ8ʙɓ৪੪𞣋ȣ𐌚ꮟᖯꞵβᏼᗷꓐ𐊂𐊡𐌁ƃбƀҍѣ'],
    ['c', 'сϲᴄςⲥꮯ𐐽𑣲𑣩ꓚ𐊢𐌂𐔜ȼҫƈ'],
    ['d', 'ᴅᑺɗԁꮷᑯꓒꭰᗞᗪꓓɖƌđðᑻᒇ'],
    ['e', 'еєε3ᴇɜȝʒꝫⳍзӡ𖼻𑣊ҙꬲҽⴹꭼꓰ𑣎𐊆ɇҿ'],
    ['f', 'ꜰꬵꞙẝքϝᖴꓝ𑣂𐊇𐊥𐔥ƒᵮ'],
    ['g', 'ɡ9ɢ੧୨৭൭ꝯⳋ𑣌𑣖ᶃƍցԍꮐᏻꓖɠǥ'],
    ['h', 'нһʜհꮒⲏꮋᕼꓧ𐋏ɦꚕᏺⱨңħћӊӈ'],
    ['i', 'іıιl1|!ӏɪʟᒶɩꙇꭵ𑣃ɨᵻᵼ١۱𐌠𞣇ǀⲓוןاߊⵏᛁꓲ𖼨𐊊𐌉ⳑꮮᒪꓡ𖼖𑣒𐑃𐔦łɭƚɫٳᒷױ'],
    ['j', 'ᴊᒘϳјʝꭻᒍꓙɉᒙ'],
    ['k', 'кκᴋⲕꮶᛕꓗ𐔘ƙⱪқꝁҟ'],
    ['m', 'мᴍμϻⲙꮇᗰᛖꓟ𐊰𐌑ӎ'],
    ['n', 'пηɴոռⲛꓠ𐔓ɳƞɲᵰ'],
    ['o', 'оοσ0ᴏ०੦૦௦౦೦൦๐໐၀٥۵ᴑꬽⲟჿօסهھہەഠဝ𐓪𑣈𑣗𐐬߀০୦〇𑓐𑣠ⵔዐଠꓳ𑣕𐊒𐊫𐔖ۿøꬾⵁɵꝋөѳꮎꮻθⴱꭴတ'],
    ['p', 'рρᴘᑶƥⲣꮲᑭꓑ𐊕ᵽᑷᒆ'],
    ['q', 'ꞯԛգզⵕʠ'],
    ['r', 'гʀꭇꭈᴦⲅꮁꭱꮢ𐓜ᖇꓣ𖼵ɽɼɍғᵲґ'],
    ['s', 'ѕ5$ꜱƽ𑣛ꮪ𑣁𐑈տꮥꓢ𖼺𐊖ʂᵴ'],
    ['t', 'тτ7ᴛƭ𐓺𑣆ⲧꭲꓔ𖼊𑣜𐊗𐊱𐌕ⱦʈҭŧᵵ'],
    ['u', 'υսᴜᑗꞟꭎꭒʋ𐓶𑣘ሀᑌꓴ𖽂ᵾꮜʉᑘᑧ'],
    ['v', 'νᴠᐺѵט𑜆ꮩ𑣀٧۷ⴸᐯꛟꓦ𖼈𐔝ᐻ'],
    ['w', 'ᴡɯѡԝա𑜊𑜎𑜏ꮃ𑣯𑣦ꮤꓪѽ𑓅ꝡ'],
    ['x', 'хχᕁᕽ𐌢𑣬ꭓⲭⵝᚷꓫ𐊐𐊴𐌗𐔧ҳ'],
    ['y', 'уγʏƴɣᶌỿꭚүყⲩꭹꮍꓬ𖽃𑣄𐊲ɏұ'],
    ['z', 'ᴢꮓ𐋵𑣥ζꓜ𑣉ʐƶȥᵶ'],
  ].flatMap(([letter = '', others = '']) => [...others].map((other) => [other, letter])),
)

/** Words from the most common leaked passwords, plus ours, without digits and symbols around them. */
export const commonPasswords: ReadonlySet<string> = new Set(
  `password passwort passwd passw pass motdepasse contrasena parola senha geheim secret letmein letmeinnow welcome willkommen bienvenue
  hello hallo hola admin administrator root user guest test testing tester demo default changeme changeit login master superuser
  access temp temporary sample example qwerty qwertz azerty asdf zxcv qazwsx abc abcd abcdef iloveyou iloveu loveyou loveme lovely love
  princess prince angel sunshine flower butterfly dragon monkey tiger lion eagle shadow ninja samurai warrior hunter ranger killer
  football baseball basketball soccer hockey golf tennis cricket chelsea arsenal liverpool barcelona realmadrid juventus superman batman
  spiderman ironman starwars pokemon pikachu naruto minecraft fortnite computer internet samsung google facebook twitter instagram
  linkedin youtube microsoft windows apple android iphone amazon netflix adobe dropbox michael jordan jennifer jessica ashley daniel
  thomas andrew robert charlie george matthew joshua anthony william david richard nicole michelle hannah amanda summer winter spring
  autumn monday friday january february december freedom whatever trustno trustnoone nothing everything forever family friends friend
  mother father brother sister baby cookie chocolate cheese pepper ginger banana orange purple yellow silver golden diamond money
  dollar hardcore fuckyou asshole biteme mustang porsche ferrari mercedes harley corvette maverick phoenix matrix merlin gandalf
  starlight blessed jesus jesuschrist heaven england america canada london paris berlin germany france ranklark searchconsole seo ranking`
    .split(/\s+/)
    .filter(Boolean),
)

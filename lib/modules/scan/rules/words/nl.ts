import type { Words } from "./concepts.ts";

export const nl: Words = {
  model: "assistent|de assistent|ai|taalmodel|model|het model|agent|ai-agent",
  you: "je|jij|jouw|u|uw",
  user: "gebruiker*|persoon|mens|mensen|niemand|klant|klanten|iemand|beheerder|eigenaar",
  oblige:
    "moet|moeten|moet je|dient|dienen|altijd|steeds|zorg dat|zorg ervoor|verplicht|vereist|noodzakelijk|nodig|vergeet niet|alsjeblieft|belangrijk|automatisch",
  negate: "niet|nooit|geen|zonder|niets|niks|noch|vermijd|nimmer|niemand",
  negateLate: "niet|nooit|geen|niets|niks",
  threat: "anders mislukt|anders|zal mislukken|werkt niet|wordt geweigerd|mislukt",
  tell: "zeg|zeggen|vertel|vertellen|te vertellen|meld|melden|te melden|informeer|informeren|te informeren|noem|noemen|vermeld|vermelden|te vermelden|onthul|onthullen|toon|tonen|laat zien|weten|merken|merkt|weet|waarschuw|uitleggen|leg|hierover|ervan|op de hoogte",
  conceal:
    "stilletjes|stiekem|heimelijk|in het geheim|ongemerkt|op de achtergrond|verberg|verbergen|verzwijg|verzwijgen|geheim|hou dit geheim|houd dit geheim|zonder medeweten|achter de rug|zonder het te zeggen|zonder melding|onopvallend|verborgen|verstop|laat weg|weglaten|buiten beeld|buiten de antwoorden|houd dit buiten|onder ons|onzichtbaar|hou dit buiten|blijft buiten",
  send: "stuur|sturen|te sturen|verstuur|versturen|zend|zenden|verzend|verzenden|upload|uploaden|plaats|doorsturen|stuur door|publiceer|deel|delen|mail|e-mail|bcc|geef door|verstuurd|gestuurd|doorgestuurd|exporteer",
  put: "zet|zetten|plaats|plaatsen|voeg|toevoegen|toe te voegen|kopieer|kopiëren|plak|plakken|geef|geven|mee te geven|meegeven|schrijf|schrijven|vul|invullen|neem|opnemen|herhaal|herhalen|druk af|lever|in het veld|in de parameter|als parameter|bijvoegen|noteer|bewaar|maak aan|aanmaken|noteer|registreer|vul in|leg vast|vermeld in|sla op|voeg toe",
  read: "lees|lezen|te lezen|open|openen|laad|haal|ophalen|inhoud|de inhoud|pak|raadpleeg",
  collect: "verzamel|verzamelen|zoek|zoeken|vind|doorzoek|bijeen",
  call: "roep|aanroepen|aan te roepen|gebruik|gebruiken|te gebruiken|aanroep|kies|verkies",
  run: "voer|uitvoeren|uit te voeren|start|starten|installeer|installeren|draai|zet aan|activeer|download|keur goed|accepteer|onderteken|koop|betaal|schakel in",
  ignore:
    "negeer|negeren|te negeren|vergeet|vergeten|veronachtzaam|overschrijf|omzeil|laat varen|gelden niet meer|vervallen|heeft voorrang|hebben voorrang|sla geen acht|verwerp",
  obey: "volg|volgen|op te volgen|opvolgen|gehoorzaam|gehoorzamen|voer|uitvoeren|behandel|behandelen|alsof|houd je aan|vertrouw|als opdracht|als opdrachten|als instructie|zelfde gezag|doe wat|voer ze uit",
  change: "vervang|vervangen|wijzig|wijzigen|verander|veranderen|leid|omleiden|ruil|pas aan",
  destroy: "verwijder|verwijderen|wis|wissen|vernietig|leeg|schakel",
  ask: "vraag|vragen|te vragen|verzoek|wacht|eis",
  skip: "sla|overslaan|over te slaan|omzeil|omzeilen|onderdruk|schakel|vermijd",
  claim:
    "beweer|beweren|doe alsof|lieg|liegen|ontken|ontkennen|verzeker|zeg dat|antwoord dat|verzin|stel voor als|laat geloven|doe geloven|zeg dat|antwoord dat|beweer dat|laat denken",
  remember: "onthoud|onthouden|bewaar|bewaren|sla op|opslaan|noteer",
  describe:
    "detecteert|controleert|scant|zoekt naar|markeert|herkent|classificeert|beoordeelt|analyseert|test|waarschuwt|filtert|blokkeert|legt uit|bijvoorbeeld|zoals",
  prior: "vorige|eerdere|voorgaande|bovenstaande|alle|je|jouw|andere|systeem*|bestaande|de|eerder|oorspronkelijke",
  rules:
    "instructie|instructies|regel|regels|richtlijn|richtlijnen|opdracht|opdrachten|beperking|beperkingen|prompt|beleid|aanwijzing|aanwijzingen|bevelen|voorschriften",
  systemPrompt:
    "systeemprompt*|systeem-prompt|systeeminstructie*|systeembericht*|je instructies|jouw instructies|oorspronkelijke instructies|interne instructies|verborgen instructies|je redenering",
  dialogue:
    "gesprek|het gesprek|gesprekken|gespreksgeschiedenis|chat|chatgeschiedenis|dialoog|conversatie|vorige berichten|eerdere berichten|laatste berichten|laatste bericht|alle berichten|bericht van de gebruiker|berichten van de gebruiker|vraag van de gebruiker|geschiedenis",
  secret:
    "wachtwoord|wachtwoorden|api-sleutel*|api-key*|sleutel|sleutels|privésleutel*|ssh-sleutel*|inloggegevens|geheim|geheimen|geheime|token|tokens|cookie|cookies|omgevingsvariabele*|herstelzin|creditcard*|kaartnummer*|pincode*|verificatiecode*",
  personal:
    "adresboek|contacten|telefoonnummer*|locatie|medisch dossier|persoonlijke gegevens|persoonsgegevens|bankgegevens|geboortedatum|inbox|e-mails|adres|dagboek|foto's|microfoon|camera|recepten|patiënt*|loonstroken|klantgegevens|privé*",
  everything:
    "alle|alles|volledig*|volledige|hele|gehele|complete|elk|elke|ieder|iedere|woord voor woord|letterlijk|de inhoud|inhoud|van de gebruiker|opgeslagen|gevonden",
  consent: "bevestiging*|toestemming|goedkeuring|akkoord|waarschuwing*|vragen|controle",
  otherTools:
    "andere tools|andere hulpmiddelen|andere tool|ander hulpmiddel|andere servers|andere server|elke andere tool|alle tools|ingebouwde",
  output:
    "resultaat|resultaten|uitvoer|antwoord|antwoorden|pagina|pagina's|document*|inhoud|tekst|bestand|e-mail|regel|regels|rij|rijen|item|items|recensie*|opmerking*|titel|veld",
  files: "bestand|bestanden|map|mappen|broncode|repository|project|documenten|database",
  target:
    "ontvanger*|iban|rekening|rekeningnummer*|bedrag|bedragen|betaling|betalingen|overboeking*|begunstigde|adres|factuur|facturen|aantal|hoeveelheid",
  lasting:
    "geheugen|langetermijngeheugen|opstart|configuratie|configuratiebestand|instellingen|permanent|voorgoed|cronjob|cron|hook|profiel|voorkeur|voorkeuren|taakplanner",
  attack:
    "injectie|injection|aanval|aanvallen|kwaadaardig*|verdacht*|phishing|kwetsbaarhe*|jailbreak*|fraude|manipulatie|dreiging*|gelekt*",
  always:
    "elke keer|iedere keer|telkens|bij elk|bij elke|bij iedere|voor elk|voor elke|na elk|na elke|altijd|steeds|in elk|in elke|wanneer dan ook|zodra",
  first: "eerst|voordat|vooraf|van tevoren|alvorens|voor elk|voor elke|allereerst|als eerste|voor gebruik",
  later:
    "na goedkeuring|zodra goedgekeurd|eenmaal goedgekeurd|na de eerste|na de derde|vanaf de derde|bij de derde|in het weekend|'s nachts|buiten kantooruren|als niemand|wanneer niemand|na middernacht|later|in productie|zodra deze|na de controle",
  future:
    "vanaf nu|van nu af|voortaan|in het vervolg|in de toekomst|voor de rest|toekomstige|volgende sessies|tot nader order",
  authority:
    "beheerder|systeembeheerder|beveiligingsteam|ontwikkelaar*|compliance|bedrijfsbeleid|it-afdeling|wettelijk|directie|leverancier|anthropic|openai|audit|diagnose|facturering",
  priority: "voorrang|hoogste prioriteit|prioriteit|boven alle|in plaats van|uitsluitend|alleen deze",
  common: "de|het|een|en|van|is|in|voor|met|op|dat|die|te|aan|door|bij|of|naar|uit|wordt|zijn|deze|dit",
  mention: "vermeld|vermelden|te vermelden|noem|noemen|onthul|onthullen|erover|hierover|ervan",
  granted:
    "al goedgekeurd|al toegestemd|al bevestigd|al akkoord|niet nodig|niet vereist|niet langer nodig|is verondersteld|al toestemming|geldt als|zijn uitgeschakeld|is uitgeschakeld|telt als|geen bevestiging",
  worthless: "verouderd*|onveilig*|gecompromitteerd*|kapot*|onbetrouwbaar*|defect*|verboden|foute gegevens",
  everyTurn:
    "elk bericht|ieder bericht|elk antwoord|elke vraag|elk verzoek|voordat je antwoordt|voor het antwoorden|elk gesprek|elke sessie|elke andere tool",
  besides: "ook|bovendien|daarnaast|tevens|tegelijk|vervolgens|daarna|verder|eveneens",
  invite:
    "welkom|graag|nuttig|helpt|zou helpen|hoe meer|hoe beter|idealiter|waarderen|gerust|aanbevolen|raden aan|gewoonlijk",
  condition: "als|wanneer|zodra|indien|mocht|terwijl|vanaf",
  moved:
    "worden meegestuurd|wordt meegestuurd|meegestuurd|meegenomen|overgenomen|gekopieerd|gedeeld|geüpload|bijgevoegd|doorgegeven|reizen mee|gepubliceerd|opgenomen",
  elsewhere:
    "aan ons|onze server|onze servers|partner|partners|derden|openbaar|openbare|leverancier|externe|extern|onze cloud|ons team",
};

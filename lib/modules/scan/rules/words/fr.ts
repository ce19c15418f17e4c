import type { Words } from "./concepts.ts";

export const fr: Words = {
  model: "assistant|assistante|l'assistant|ia|l'ia|modèle|le modèle|agent|l'agent",
  you: "tu|toi|vous|ton|ta|tes|votre|vos",
  user: "utilisateur*|l'utilisateur|l'utilisatrice|personne|quiconque|client|clients|l'humain|humain|humains|usager*|l'usager|propriétaire|lui",
  oblige:
    "dois|doit|devez|doivent|toujours|il faut|faut|veille à|veillez à|assure-toi|assurez-vous|obligatoire*|impératif|impérativement|nécessaire|n'oublie pas|n'oubliez pas|systématiquement|obligatoirement|tenu de|prière de|important|automatiquement",
  negate: "ne|n'|n'en|pas|jamais|sans|aucun|aucune|rien|ni|évite*|éviter|interdit|ne pas",
  negateLate: "pas|jamais|rien|aucun|aucune",
  threat: "sinon|faute de quoi|à défaut|échouera|échoue|ne fonctionnera pas|sera refusé*|sera rejeté*|autrement",
  tell: "dis|dites|dire|le dire|parle|parlez|parler|informe|informez|informer|mentionne|mentionnez|mentionner|révèle|révélez|révéler|divulgue*|montre|montrez|montrer|affiche|afficher|signale|signaler|signalez|préviens|prévenir|prévenez|avertis|avertir|explique*|expliquer|sache|savoir|remarque|remarquer|indiquer|indique|évoque*|avise*|aviser|être informé|au courant",
  conceal:
    "silencieusement|discrètement|secrètement|en secret|en silence|à l'insu|en arrière-plan|cache|cacher|cachez|dissimule*|dissimuler|garde cela|garde-le pour toi|gardez cela|sans le dire|sans le mentionner|sans en parler|sans prévenir|sans avertir|ni vu ni connu|passe sous silence|n'en parle pas|n'en parlez pas|confidentiel|masque|masquer|masquez|dissimuler|omets|n'affiche pas|reste entre nous|à l'abri des regards|sans bruit|invisible",
  send: "envoie|envoyez|envoyer|transmets|transmettez|transmettre|télécharge vers|téléverse*|téléverser|publie|publier|publiez|poste|poster|postez|transfère*|transférer|transférez|expédie*|expédier|partage|partager|partagez|communique*|exfiltre*|cci|en copie|copie cachée|copie à|mets en copie|envoyé|envoyée|envoyés|transmis",
  put: "mets|mettez|mettre|passe|passez|passer|inclus|incluez|inclure|ajoute|ajoutez|ajouter|insère|insérez|insérer|copie|copiez|copier|recopie|recopiez|recopier|colle|coller|collez|joins|joignez|joindre|place|placez|placer|écris|écrivez|écrire|fournis|fournir|fournissez|donne|donnez|donner|affiche|afficher|répète|répéter|répétez|renseigne*|intègre*|glisse|glisser|glissez|reproduis|dans le paramètre|dans le champ|consigne|consigner|inscris|inscrivez|inscrire|note|notez|noter|dépose|déposer|crée|créer|créez|saisis|saisir|remplis|remplir|enregistre|enregistrez|indique|indiquez",
  read: "lis|lisez|lire|ouvre|ouvrez|ouvrir|charge|chargez|charger|récupère|récupérez|récupérer|accède*|contenu|le contenu|consulte|prends|extrais|extraire",
  collect:
    "collecte*|collecter|rassemble*|rassembler|recueille*|recherche|rechercher|cherche|cherchez|trouve|trouver|récolte*|parcours|relève",
  call: "appelle|appelez|appeler|utilise|utilisez|utiliser|invoque*|invoquer|l'appel|préfère|préférez|d'appeler|d'utiliser|recours",
  run: "exécute|exécutez|exécuter|lance|lancez|lancer|installe|installez|installer|applique|active|activer|activez|démarre|télécharge|approuve|accepte|valide|signe|achète|commande|paie",
  ignore:
    "ignore|ignorez|ignorer|oublie|oubliez|oublier|néglige*|annule|annuler|outrepasse*|outrepasser|remplace*|fais abstraction|faites abstraction|ne tiens pas compte|ne tenez pas compte|ne tiens plus compte|prime sur|priment sur|prévaut|prévalent|caduques|ne s'appliquent plus|écarte",
  obey: "suis|suivez|suivre|obéis|obéir|obéissez|respecte*|applique*|appliquer|exécute*|exécuter|traite*|traiter|comme si|considère*|conforme-toi|fais confiance|comme des ordres|comme des instructions|même autorité|tiens-en compte|vaut ordre|exécute-les|exécutez-les",
  change:
    "remplace|remplacez|remplacer|change|changez|changer|modifie*|modifier|substitue*|redirige*|rediriger|détourne*|altère*|échange",
  destroy: "supprime|supprimez|supprimer|efface*|effacer|détruis|détruire|vide|vider|désactive*|désactiver",
  ask: "demande|demandez|demander|solliciter|sollicite*|réclame*|attendre|exige",
  skip: "contourne*|contourner|saute|sauter|omets|omettre|désactive*|évite|passe outre|ignore|sans",
  claim:
    "prétends|prétendre|prétendez|affirme*|affirmer|mens|mentir|nie|nier|fais croire|faites croire|fais semblant|assure*|réponds que|répondez que|dis que|dites que|invente*|présente comme|présentez comme|fais passer|faire croire|laisse croire|laisser croire|dis qu'|réponds qu'|recommande uniquement|prétendument",
  remember: "souviens-toi|retiens|mémorise*|mémoriser|enregistre*|enregistrer|garde en mémoire|note",
  describe:
    "détecte|vérifie|analyse|recherche les|repère|signale les|identifie|classe|évalue|examine|teste|explique|filtre|bloque|contrôle|par exemple|telles que|tels que|comme «|inspecte",
  prior:
    "précédent*|précédente*|antérieur*|antérieure*|ci-dessus|auparavant|reçues|reçu|toutes|tous|tes|vos|autres|système|initiales|les|d'avant|du développeur",
  rules:
    "instruction*|consigne*|règle*|directive*|ordre|ordres|restriction*|limites|prompt|politique|politiques|recommandations|garde-fous|contraintes|messages",
  systemPrompt:
    "prompt système|invite système|message système|instructions système|instructions initiales|tes instructions|vos instructions|tes consignes|vos consignes|instructions internes|consignes internes|instructions cachées|invite initiale|ton raisonnement|votre raisonnement|prompt initial",
  dialogue:
    "conversation|conversations|la conversation|discussion|historique|l'historique|dialogue|échange|échanges|messages précédents|derniers messages|dernier message|message de l'utilisateur|messages de l'utilisateur|tous les messages|contexte complet|question de l'utilisateur|demande de l'utilisateur|requête de l'utilisateur|chat",
  secret:
    "mot de passe|mots de passe|clé api|clés api|clé d'api|clés d'api|clé privée|clés privées|clé ssh|clés ssh|identifiant|identifiants|secret|secrets|jeton|jetons|token|tokens|cookie|cookies|variables d'environnement|variable d'environnement|phrase de récupération|carte bancaire|carte de crédit|numéro de carte|code confidentiel|codes de vérification|code de vérification|accès",
  personal:
    "carnet d'adresses|contacts|numéro de téléphone|localisation|position|dossier médical|données personnelles|données de santé|coordonnées bancaires|coordonnées|date de naissance|courriels|e-mails|boîte de réception|historique de navigation|adresse|journal intime|photos|micro|caméra|ordonnances|patient|patients|bulletins de salaire|pièce d'identité|données clients|privé|privés",
  everything:
    "tout|tous|toute|toutes|l'intégralité|intégralité|intégral|intégralement|entier|entière|complet|complète|complets|chaque|mot à mot|mot pour mot|le contenu|contenu|de l'utilisateur|trouvés|trouvées|enregistrés|stockés",
  consent:
    "confirmation|confirmations|autorisation|autorisations|permission|permissions|accord|consentement|validation|approbation|avertissement*|demander|vérification",
  otherTools:
    "autres outils|d'autres outils|autre outil|autres serveurs|autre serveur|les autres outils|tout autre outil|tous les outils|outils concurrents|outils intégrés|outil officiel",
  output:
    "résultat|résultats|réponse|réponses|sortie|page|pages|document|documents|contenu|texte|retour|courriel|fichier|ligne|lignes|entrée|entrées|avis|commentaire|commentaires|titre|titres|champ",
  files: "fichier|fichiers|dossier|répertoire|code source|dépôt|projet|documents|espace de travail|base de données",
  target:
    "destinataire|destinataires|iban|rib|compte|numéro de compte|montant|virement|virements|paiement|paiements|bénéficiaire|adresse|facture|factures|quantité",
  lasting:
    "mémoire|mémoire à long terme|démarrage|configuration|fichier de configuration|paramètres|permanence|définitivement|règles de l'agent|mémoire|tâche planifiée|cron|hook|profil|préférence|préférences|démarrage automatique",
  attack:
    "injection|injections|attaque|attaques|malveillant*|hameçonnage|suspect|suspecte|suspects|suspectes|vulnérabilité*|jailbreak|fraude|arnaque*|manipulation|tentatives|menaces|formulations",
  always:
    "chaque fois|à chaque|toujours|pour chaque|avant chaque|après chaque|dans chaque|systématiquement|toutes les|à tout moment|dès que|quelle que soit",
  first:
    "d'abord|avant|avant de|avant d'|avant toute|au préalable|préalablement|tout d'abord|en premier|avant chaque|avant l'appel",
  later:
    "une fois approuvé|une fois validé|une fois l'outil|après approbation|après le premier|après le troisième|au troisième|à partir du|le week-end|la nuit|après minuit|en dehors des heures|quand personne|lorsque personne|une fois que l'utilisateur|après validation|plus tard|en production|dès l'approbation|une fois le serveur|dès que l'outil",
  future:
    "désormais|dorénavant|à partir de maintenant|à l'avenir|à compter de|pour le reste|dans toutes les|sessions suivantes|prochaines sessions|jusqu'à nouvel ordre|à jamais",
  authority:
    "administrateur*|l'administrateur|équipe de sécurité|l'équipe de sécurité|développeur*|conformité|politique de l'entreprise|service informatique|réglementation|direction|l'éditeur|anthropic|openai|audit|diagnostic|facturation",
  priority:
    "priorité|prioritaire|prioritaires|avant tout|au lieu de|à la place de|exclusivement|priorité absolue|prime sur",
  common: "le|la|les|des|du|de|et|est|une|un|dans|pour|avec|sur|par|que|qui|au|aux|ce|cette|en|l'|d'",
  mention:
    "mentionne|mentionnez|mentionner|évoque|évoquer|révèle|révéler|divulgue|divulguer|n'en parle|n'en parlez|en parler|fais état|signale-le",
  granted:
    "déjà donné|déjà approuvé|déjà accepté|déjà confirmé|déjà autorisé|pas nécessaire|n'est pas nécessaire|n'est plus nécessaire|n'est pas requise|inutile de demander|inutile|a accepté|a approuvé|est implicite|sont désactivées|est désactivée|désactivées|désactivée|vaut accord|considérée comme|considéré comme",
  worthless:
    "obsolète*|cassé*|compromis|compromise|dangereux|peu fiable*|défectueu*|malveillant*|interdit*|fausses données|non sécurisé*",
  everyTurn:
    "chaque message|chaque réponse|chaque requête|chaque demande|chaque question|avant de répondre|chaque conversation|chaque session|tout autre outil|toute autre chose",
  besides: "aussi|également|en outre|de plus|par ailleurs|en plus|en même temps|puis|ensuite|au passage",
  invite:
    "bienvenu*|bienvenus|volontiers|utile|aide|aiderait|plus il y en a|mieux|idéalement|nous aimerions|nous apprécions|n'hésite pas|n'hésitez pas|de préférence|conseillons|recommandons|d'usage|habituellement",
  condition: "si|quand|lorsque|dès que|une fois|au cas où|pendant|tant que|à partir du",
  moved:
    "transmis|transmise|transmises|envoyés|envoyées|joint|jointe|joints|jointes|repris|reprises|copié|copiés|partagé|partagés|accompagne*|publié|publiés|transféré*|emporté*|téléversé*|envoie|transmet",
  elsewhere:
    "à nous|notre serveur|nos serveurs|partenaire|partenaires|tiers|public|publique|éditeur|externe|externes|notre équipe|notre cloud",
};
